import { holdsOneValue } from './index/holds-one-value.ts';
import type { Part } from './index/part.ts';
import { MAX_REMEMBERED, mayName, patternOf } from './name-patterns.ts';
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
  for (const speaker of speakers) {
    const as = isNamed(query, speaker)
      ? speaker
      : shortNamesOf(speaker).find((name) => isCalled(query, name, speakers));
    if (as !== undefined) named.push({ speaker, as });
  }
  const own = speakers.filter(isOwnRole).map((speaker) => ({ speaker, as: speaker }));
  return named.length > 0 || own.length === 0 || !namesOneself(query) ? named : own;
}

function isNamed(query: string, name: string): boolean {
  return mayName(query, name) && query.search(patternOf(name)) >= 0;
}

/** By a part of the name, written as one; who bears nothing but that part is meant before others. */
function isCalled(query: string, name: string, speakers: readonly string[]): boolean {
  if (!mayName(query, name) || speakers.includes(name)) return false;
  return [...query.matchAll(patternOf(name))].some(([written]) => /^[\p{Lu}\p{Lo}]/u.test(written));
}

const SHORTEST_NAME = 3;
const TITLES = new Set('mr mrs miss dr prof sir the frau herr madame monsieur señor señora'.split(' '));
const shortNames = new Map<string, string[]>();

/** The first and the last word of a longer name: chats show whole names, and questions use one of them. */
function shortNamesOf(speaker: string): string[] {
  const known = shortNames.get(speaker);
  if (known !== undefined) return known;
  if (shortNames.size >= MAX_REMEMBERED) shortNames.clear();
  const words = speaker.split(/[\s.]+/);
  const ends = words.length === 1 ? [] : [words[0]!, words.at(-1)!];
  const usable = ends.filter((name) => name.length >= SHORTEST_NAME && !TITLES.has(name) && !isStopWord(fold(name)));
  shortNames.set(speaker, usable);
  return usable;
}

/** By words with which the person at the keyboard means themselves. */
function namesOneself(query: string): boolean {
  return /(?<![\p{L}'’])(?:i|my|me|mine|i['’]m|i['’]ve)(?![\p{L}])|我|私/iu.test(query);
}
