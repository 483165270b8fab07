/** The text without what the formatter may change. */
export function format(text: string): string {
  return text.replaceAll(/\s+|,(?=\s*[}\]])/g, '');
}
