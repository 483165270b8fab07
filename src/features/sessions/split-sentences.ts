/** Of what was said in a session: marks of lists and headings do not belong to a sentence. Apart from what reads statements, because every start knows the kinds. */
export function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"'`(¿¡])|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*+•]|#{1,6}|\d+[.)])\s+/, '').trim())
    .filter((sentence) => sentence !== '');
}
