import { type CustomPattern, replaceCustom } from './custom-patterns.ts';
import { findSpans } from './remove-spans.ts';
import { replaceSecrets } from './replace-secrets.ts';
import { screenText } from './screen.ts';

/** One thing that would not be written down as it is; never the thing itself. */
export interface Withheld {
  /** From 1. */
  line: number;
  /** `replaced` by a marker, or `removed` without one. */
  what: 'replaced' | 'removed';
  /** The rule, the tag or the pattern. */
  rule: string;
  why: string;
  chars: number;
}

export interface Examined {
  withheld: Withheld[];
  /** Nothing of the text would be kept, and why. */
  leftOut: string | null;
  /** Characters of the text, and those that would be kept. */
  chars: number;
  kept: number;
}

const WHY_SPANS: Readonly<Record<string, string>> = { private: 'marked as private' };

/** What screening would do to a text that an agent hands over, without a value in it. */
export function examineText(text: string, patterns: readonly CustomPattern[]): Examined {
  const lineAt = createLineCounter(text);
  const spans = findSpans(text);
  const isInSpan = (at: number): boolean => spans.some(({ start, end }) => at >= start && at < end);
  const withheld: Withheld[] = spans.map(({ name, start, end, isClosed }) => ({
    line: lineAt(start),
    what: 'removed',
    rule: name,
    chars: end - start,
    why: `${WHY_SPANS[name] ?? 'injected by an agent or by ltm'}${isClosed ? '' : ', and never closed'}`,
  }));
  for (const { kind, mode, start, end } of replaceSecrets(text).findings)
    if (mode === 'redact' && !isInSpan(start))
      withheld.push({
        line: lineAt(start),
        what: 'replaced',
        rule: kind,
        why: 'looks like a secret',
        chars: end - start,
      });
  const slow = replaceCustom(text, patterns).isTooSlow;
  for (const { name, pattern } of slow ? [] : patterns)
    for (const { 0: found, index } of text.matchAll(pattern))
      if (found !== '' && !isInSpan(index))
        withheld.push({
          line: lineAt(index),
          what: 'replaced',
          rule: name,
          why: 'privacy_patterns',
          chars: found.length,
        });
  const { value, names } = screenText(text, { patterns });
  const leftOut = names.includes('slow-pattern')
    ? 'a pattern of privacy_patterns takes too long on it'
    : names.includes('quarantined')
      ? 'high-risk content is left after screening'
      : null;
  const kept = leftOut === null ? value.replace(/\.\.\.\[truncated \d+ chars\]$/, '').length : 0;
  return { withheld: withheld.toSorted((a, b) => a.line - b.line), leftOut, chars: text.length, kept };
}

function createLineCounter(text: string): (at: number) => number {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends.push(at);
  return (at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
