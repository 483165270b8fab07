import type { Body, Term } from './index/part.ts';
import { encodeText } from './index/string-table.ts';
import { PROJECT_BONUS, speakerBonus, TIME_BONUS } from './score.ts';
import type { SearchPart } from './search-set.ts';
import { tokenize } from './text/tokenize.ts';

const WHEN_IN_LATIN =
  'when|(?:on |in )?(?:what|which) (?:day|date|month|year|weekday|time)|how long|since when|wann|seit wann|quand|depuis quand|cuándo|desde cuándo|quando|desde quando';
const WHEN_ELSEWHERE = '什么时候|什麼時候|何时|哪天|哪一天|哪年|几号|多久|いつ';
const NOT_ASCII = /[^\0-\x7f]/;
let patterns: { ascii: RegExp; any: RegExp | null } | null = null;
const TIME_WORDS =
  'yesterday today tonight tomorrow ago last next week weekend month year morning evening monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december gestern heute morgen woche monat jahr montag dienstag mittwoch donnerstag freitag samstag sonntag hier demain semaine mois année ayer hoy mañana semana mes año ontem hoje amanhã mês ano 昨天 今天 明天 上周 下周 星期 去年 今年 昨日 今日 明日 先週 来週 来月 去年';

export function asksForTime(query: string): boolean {
  patterns ??= { ascii: new RegExp(`^\\W*(?:${WHEN_IN_LATIN})(?![a-z])`, 'i'), any: null };
  // Unicode's tables of letters take a command half a millisecond to be ready: ASCII does without.
  if (!NOT_ASCII.test(query)) return patterns.ascii.test(query);
  patterns.any ??= new RegExp(`^\\W*(?:${WHEN_IN_LATIN}|いつ)(?![\\p{L}])|${WHEN_ELSEWHERE}`, 'iu');
  return patterns.any.test(query);
}

/** For turns of the one speaker whom the question names. Only what matches already gains. */
export function addSpeakerBonus(parts: readonly SearchPart[], speaker: string, scores: Float32Array): void {
  const bonus = speakerBonus(speaker);
  for (const { part, base } of parts) {
    const { docCount, docRecord, speaker: codes, labels } = part.columns;
    const code = labels.codeOf(speaker);
    if (code === 0) continue;
    for (let doc = 0; doc < docCount; doc++) {
      const at = base + doc;
      if (scores[at]! > 0 && codes[docRecord[doc]!] === code) scores[at] = scores[at]! + bonus;
    }
  }
}

/** For what belongs to the one project that the question names. */
export function addProjectBonus(parts: readonly SearchPart[], project: string, scores: Float32Array): void {
  for (const { part, base } of parts) {
    const { docCount, docRecord, project: codes, labels } = part.columns;
    const code = labels.codeOf(project);
    if (code === 0) continue;
    for (let doc = 0; doc < docCount; doc++) {
      const at = base + doc;
      if (scores[at]! > 0 && codes[docRecord[doc]!] === code) scores[at] = scores[at]! + PROJECT_BONUS;
    }
  }
}

let timeTerms: readonly Term[] | null = null;

/** Words by which a passage speaks of a time. */
export function listTimeTerms(): readonly Term[] {
  timeTerms ??= [...new Set(tokenize(TIME_WORDS))].map((text) => ({ text, bytes: encodeText(text) }));
  return timeTerms;
}

/** For docs that speak of a time, each once. Only what matches already gains. */
export function* addTimeBonus(parts: readonly SearchPart[], scores: Float32Array): Generator<SearchPart, void, Body> {
  for (const each of parts) {
    const { words } = yield each;
    const own = scores.subarray(each.base, each.base + each.part.columns.docCount);
    const seen = new Uint8Array(own.length);
    for (const term of listTimeTerms()) {
      const docs = words.find(term)?.docs ?? [];
      for (let k = 0; k < docs.length; k++) {
        const doc = docs[k]!;
        if (own[doc]! > 0 && seen[doc] === 0) own[doc] = own[doc]! + TIME_BONUS;
        seen[doc] = 1;
      }
    }
  }
}
