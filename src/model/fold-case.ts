/** Case-folded form for comparing: upper case first, so that ß meets SS and every sigma is one letter. */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}
