import { cleanText } from '../../model/hidden-characters.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what terminals are told colours with
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** What is read of an output: its beginning and, where it is longer, its end, which is where programs sum up. */
const READ_CHARS = 60_000;

/** The lines of what a program printed, without colours; of a very long one the first and the last. */
export function plainLines(output: string): string[] {
  const text =
    output.length <= READ_CHARS ? output : `${output.slice(0, READ_CHARS / 4)}\n${output.slice(-READ_CHARS * 0.75)}`;
  return cleanText(text.replace(ESCAPES, '')).split('\n');
}

/** On one line, cut with a sign between words where it is longer. */
export function oneLine(text: string, maxChars: number): string {
  const whole = text.trim();
  const read = whole.slice(0, READ_CHARS);
  const line = cleanText(read).replace(/\s+/g, ' ').trim();
  if (line.length <= maxChars && read.length === whole.length) return line;
  const cut = line.slice(0, maxChars - 1);
  const blank = cut.lastIndexOf(' ');
  const kept = blank > maxChars * 0.6 ? cut.slice(0, blank) : cut;
  return `${kept.toWellFormed().replace(/[\s,;:–-]+$|\ufffd$/g, '')}…`;
}

/** Names in a row: `a, b and 3 more`. */
export function nameSome(names: readonly string[], most: number): string {
  const shown = names.slice(0, most);
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}
