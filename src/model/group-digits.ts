/** 12,345: what `toLocaleString('en')` gives for whole numbers, without loading the tables of all languages for it. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
