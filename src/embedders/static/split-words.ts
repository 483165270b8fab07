const WORD = /[\p{L}\p{N}]+/gu;
const ASCII_WORD = /[A-Za-z0-9]+/g;
const NOT_ASCII = /[^\0-\x7f]/;
const CJK = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u{20000}-\\u{3134f}';
const HAS_CJK = new RegExp(`[${CJK}]`, 'u');
/** A CJK character, or a run of others. */
const CJK_PART = new RegExp(`[${CJK}]|[^${CJK}]+`, 'gu');
const LATIN_MARK = /[\u0300-\u036f]/g;

/** Runs of letters and digits in their own case; each CJK character by itself. */
export function splitWords(text: string): readonly string[] {
  if (!NOT_ASCII.test(text)) return text.match(ASCII_WORD) ?? [];
  const runs = text.normalize('NFKC').match(WORD) ?? [];
  return runs.some((run) => HAS_CJK.test(run))
    ? runs.flatMap((run) => (HAS_CJK.test(run) ? run.match(CJK_PART)! : run))
    : runs;
}

/** Lower case, without Latin accents. */
export function foldWord(word: string): string {
  const low = word.toLowerCase();
  return NOT_ASCII.test(low) ? low.normalize('NFD').replace(LATIN_MARK, '').normalize('NFC') : low;
}

/** `parseHTMLDocument` is parse, HTML, Document. */
export function splitCamelCase(word: string): readonly string[] {
  return word.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
}

/** The first so many characters, counted as code points. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let i = 0; i < count && end < text.length; i++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
