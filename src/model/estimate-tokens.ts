/** How many tokens a text is to a model, on the high side: models part words differently, and a budget is a promise. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu)) {
    if (/^[\p{Script=Latin}\p{M}]+$/u.test(piece)) tokens += piece.length <= 6 ? 1 : Math.ceil(piece.length / 5);
    else if (/^[\x21-\x7e]+$/.test(piece)) tokens += Math.ceil(piece.length / 2);
    else tokens += [...piece].length;
  }
  return tokens;
}
