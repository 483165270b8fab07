/** Latin and the punctuation of typeset text: each character takes one column. The tables of all scripts take milliseconds to be ready. */
const NARROW = /^[\0-\u02ff\u2010-\u2027]*$/;

/** Columns the text takes on a terminal. */
export function textWidth(text: string): number {
  if (NARROW.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (NARROW.test(character)) return 1;
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

function isWide(character: string): boolean {
  return /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u.test(
    character,
  );
}

/** At most `columns` wide; an ellipsis shows that something was cut. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  return `${breakWord(text, columns - 1)[0]!.trimEnd()}…`;
}

/** Lines of at most `columns`, broken at spaces where there are any. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const piece of text.match(/\s+|[^\s]+/gu) ?? []) {
    const pieceWidth = textWidth(piece);
    if (width + pieceWidth <= columns) {
      line += piece;
      width += pieceWidth;
      continue;
    }
    if (/^\s/.test(piece)) continue;
    if (line.trim() !== '') lines.push(line.trimEnd());
    const rows = breakWord(piece, columns);
    lines.push(...rows.slice(0, -1));
    line = rows.at(-1)!;
    width = textWidth(line);
  }
  if (line.trim() !== '') lines.push(line.trimEnd());
  return lines;
}

function breakWord(word: string, columns: number): string[] {
  const rows = [''];
  let width = 0;
  for (const character of word) {
    const next = characterWidth(character);
    if (width + next > columns && width > 0) {
      rows.push('');
      width = 0;
    }
    rows[rows.length - 1] += character;
    width += next;
  }
  return rows;
}
