import { EngineError } from '../../../model/errors.ts';

/** How far a file is looked at for what text never holds. */
const PROBED_BYTES = 65_536;

/** The text of a file, by its byte order mark, as UTF-8, or else as Windows-1252, which is said. */
export function decodeText(bytes: Uint8Array, name: string): { text: string; warnings: string[] } {
  const marked = byMark(bytes);
  if (marked !== null) return { text: new TextDecoder(marked).decode(bytes), warnings: [] };
  if (bytes.subarray(0, PROBED_BYTES).includes(0)) throw notText(name);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), warnings: [] };
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    if (!looksLikeText(text)) throw notText(name);
    return { text, warnings: ['It is not UTF-8, and was read as Windows-1252.'] };
  }
}

function byMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : null;
}

/** Control characters are rare in it, whatever the language. */
function looksLikeText(text: string): boolean {
  const probe = text.slice(0, PROBED_BYTES);
  let odd = 0;
  for (let i = 0; i < probe.length; i++) if (isControl(probe.charCodeAt(i))) odd++;
  return odd * 50 <= probe.length;
}

/** All but those that text is set with: backspace to carriage return. */
function isControl(code: number): boolean {
  return code < 8 || (code > 13 && code < 32) || (code > 126 && code < 160);
}

function notText(name: string): EngineError {
  return new EngineError('invalid_input', `${name} is no text: it holds binary data.`, {
    hint: 'Documents are Markdown, text, PDF, DOCX, ODT, PPTX, XLSX, HTML, CSV, JSON and source code.',
    details: { field: 'name', reason: 'binary' },
  });
}
