/** What a person marked as private, and what agents or ltm itself put around a prompt: none of it is ever written down. */
const TAG =
  /<(\/?)(private|ltm-context|longmem-context|hook_context|untrusted_context|system-reminder)(?:\s[^<>]{0,200})?\/?>/gi;
const WRAPPER = /<\/?untrusted_context(?:\s[^<>]{0,200})?>\n?/gi;

export interface Span {
  /** Of the tag, in lower case. */
  name: string;
  start: number;
  end: number;
  /** False where the text ends before it does. */
  isClosed: boolean;
}

/** A span that is never closed goes on to the end; spans of one name may hold each other. */
export function findSpans(text: string): Span[] {
  if (!text.includes('<')) return [];
  const spans: Span[] = [];
  let depth = 0;
  for (const { 0: tag, 1: slash, 2: written, index } of text.matchAll(TAG)) {
    if (tag.endsWith('/>')) continue;
    const name = written!.toLowerCase();
    const open = spans.at(-1);
    if (depth === 0 && slash === '') {
      spans.push({ name, start: index, end: text.length, isClosed: false });
      depth = 1;
    } else if (depth > 0 && name === open?.name) {
      depth += slash === '/' ? -1 : 1;
      if (depth === 0) Object.assign(open, { end: index + tag.length, isClosed: true });
    }
  }
  return spans;
}

export interface WithoutSpans {
  text: string;
  /** Names of the tags whose spans were removed. */
  removed: readonly string[];
}

/** The text without its private spans and injected blocks. Done before anything is cut, so that no end of a span is lost. */
export function removeSpans(text: string): WithoutSpans {
  const spans = findSpans(text);
  if (spans.length === 0) return { text, removed: [] };
  let kept = '';
  let from = 0;
  for (const { start, end } of spans) {
    kept += text.slice(from, start);
    from = end;
  }
  return { text: kept + text.slice(from), removed: [...new Set(spans.map(({ name }) => name))] };
}

/** What an agent wraps around the result of a foreign tool goes, the result stays. */
export function unwrapResult(text: string): string {
  return text.includes('<') ? text.replace(WRAPPER, '') : text;
}
