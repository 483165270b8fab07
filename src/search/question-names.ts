import { holdsOneValue } from './index/holds-one-value.ts';
import type { Part } from './index/part.ts';
import { mayName, patternOf } from './name-patterns.ts';
import { isOwnRole } from './score.ts';
import type { SearchSet } from './search-set.ts';
import { fold } from './text/fold.ts';
import { isStopWord } from './text/stop-words.ts';

/** A label that stands before fewer turns than this is hardly a speaker's name. */
const MIN_TURNS = 3;

const counted = new WeakMap<Part, { records: number; speakers: Map<string, number> }>();

/** Everybody who says something in the searched spaces. */
export function listSpeakers({ parts }: SearchSet): string[] {
  const turns = new Map<string, number>();
  for (const { part } of parts)
    for (const [speaker, count] of countTurns(part)) turns.set(speaker, (turns.get(speaker) ?? 0) + count);
  return [...turns].filter(([, count]) => count >= MIN_TURNS).map(([speaker]) => speaker);
}

/** Turns by speaker, dead ones included: counted once for a segment, again for a tail that has grown. */
function countTurns(part: Part): Map<string, number> {
  const { recordCount, speaker, labels } = part.columns;
  const known = counted.get(part);
  if (known !== undefined && known.records === recordCount) return known.speakers;
  const codes = new Map<number, number>();
  if (holdsOneValue(speaker.subarray(0, recordCount), 0)) return remember(part, new Map());
  for (let record = 0; record < recordCount; record++)
    if (speaker[record] !== 0) codes.set(speaker[record]!, (codes.get(speaker[record]!) ?? 0) + 1);
  const speakers = new Map([...codes].map(([code, count]) => [labels.textOf(code), count]));
  return remember(part, speakers);
}

function remember(part: Part, speakers: Map<string, number>): Map<string, number> {
  counted.set(part, { records: part.columns.recordCount, speakers });
  return speakers;
}

export interface NamedSpeaker {
  speaker: string;
  /** What the question calls them: all of the name, or its first or last word. */
  as: string;
}

/** Those of the speakers whom the question names, or who asks it. */
export function findNamed(query: string, speakers: readonly string[]): NamedSpeaker[] {
  const named: NamedSpeaker[] = [];
  let called: ReadonlySet<string> | null = null;
  for (const speaker of speakers) {
    if (mayName(query, speaker) && query.search(patternOf(speaker)) >= 0) {
      named.push({ speaker, as: speaker });
      continue;
    }
    if (!speaker.includes(' ')) continue;
    called ??= listCalled(query);
    // Who bears nothing but that part of the name is meant before others.
    const as = endsOf(speaker).find((name) => called!.has(name) && !speakers.includes(name));
    if (as !== undefined) named.push({ speaker, as });
  }
  const own = speakers.filter(isOwnRole).map((speaker) => ({ speaker, as: speaker }));
  return named.length > 0 || own.length === 0 || !namesOneself(query) ? named : own;
}

/** Chats show whole names, and questions use one of them. */
function endsOf(speaker: string): [first: string, last: string] {
  return [speaker.slice(0, speaker.indexOf(' ')), speaker.slice(speaker.lastIndexOf(' ') + 1)];
}

const SHORTEST_NAME = 3;
const TITLES = new Set('mr mrs miss dr prof sir frau herr madame monsieur señor señora'.split(' '));

/** Words of the question that are written like names, in lower case. */
function listCalled(query: string): Set<string> {
  const words = query.match(/(?<![\p{L}\p{N}])[\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}'’-]*/gu) ?? [];
  const names = words.map((word) => word.toLowerCase().replace(/['’]s?$/, ''));
  return new Set(names.filter((name) => name.length >= SHORTEST_NAME && !TITLES.has(name) && !isStopWord(fold(name))));
}

/** By words with which the person at the keyboard means themselves. */
function namesOneself(query: string): boolean {
  return /(?<![\p{L}'’])(?:i|my|me|mine|i['’]m|i['’]ve)(?![\p{L}])|我|私/iu.test(query);
}
