import { holdsOneValue } from './index/holds-one-value.ts';
import type { Part } from './index/part.ts';
import { isOwnRole } from './score.ts';
import type { SearchSet } from './search-set.ts';
import { fold } from './text/fold.ts';
import { isStopWord } from './text/stop-words.ts';

const NOT_ASCII = /[^\0-\x7f]/;

/** Where both are ASCII, a name that the question does not hold needs no pattern: making one takes a command a millisecond. */
export function mayName(query: string, name: string): boolean {
  return NOT_ASCII.test(query) || NOT_ASCII.test(name) || query.toLowerCase().includes(name.toLowerCase());
}

function isSpaceless(name: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(name);
}

/** The question without names: who is meant decides whose turns count, not what they are about. The question itself where nothing would be left. */
export function leaveOutNames(query: string, named: readonly string[]): string {
  if (named.length === 0) return query;
  let rest = query;
  for (const speaker of named) rest = rest.replace(patternOf(speaker), ' ');
  return /[\p{L}\p{N}]/u.test(rest) ? rest : query;
}

const patterns = new Map<string, RegExp>();
/** So many are remembered, then the memory starts afresh: compiling one takes longer than asking it. */
const MAX_PATTERNS = 1000;

export function patternOf(speaker: string): RegExp {
  const known = patterns.get(speaker);
  if (known !== undefined) return known;
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  const pattern = makePattern(speaker);
  patterns.set(speaker, pattern);
  return pattern;
}

function makePattern(speaker: string): RegExp {
  const name = speaker.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return isSpaceless(speaker)
    ? new RegExp(name, 'giu')
    : new RegExp(`(?<![\\p{L}\\p{N}])${name}(?:['’]s)?(?![\\p{L}\\p{N}])`, 'giu');
}

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

const projectsOf = new WeakMap<Part, { records: number; projects: Set<string> }>();

/** All projects in the searched spaces, dead records included. */
export function listProjects({ parts }: SearchSet): string[] {
  const all = new Set<string>();
  for (const { part } of parts) for (const project of collectProjects(part)) all.add(project);
  return [...all];
}

function collectProjects(part: Part): Set<string> {
  const { recordCount, project, labels } = part.columns;
  const known = projectsOf.get(part);
  if (known !== undefined && known.records === recordCount) return known.projects;
  const codes = new Set<number>();
  if (!holdsOneValue(project.subarray(0, recordCount), 0))
    for (let record = 0; record < recordCount; record++) if (project[record] !== 0) codes.add(project[record]!);
  const projects = new Set([...codes].map((code) => labels.textOf(code)));
  projectsOf.set(part, { records: recordCount, projects });
  return projects;
}

/** A name that is no ordinary word: `ecommerce-api`, `web2`, `my.site`. */
function isProper(name: string): boolean {
  return /[\d_./-]|\p{Ll}\p{Lu}/u.test(name);
}

/** What stands before a name that might be a word: "in shop, how …", "for the project web". */
const BEFORE =
  '(?<![\\p{L}\\p{N}])(?:in|of|for|on|at|project|repo|repository|bei|für|im|projekt|dans|pour|projet|en|para|proyecto|em|no|na|projeto)\\s+(?:the\\s+|der\\s+|le\\s+|la\\s+|el\\s+|o\\s+|a\\s+)?(?:project\\s+|projekt\\s+|projet\\s+|proyecto\\s+|projeto\\s+)?';
const SHORTEST_PROJECT = 3;

/** Those of the projects that the question names as such. */
export function findNamedProjects(query: string, projects: readonly string[]): string[] {
  return projects.filter((project) => {
    if (project.length < SHORTEST_PROJECT || !mayName(query, project)) return false;
    if (query.search(patternOf(project)) < 0) return false;
    if (isProper(project) || isSpaceless(project)) return true;
    return new RegExp(`${BEFORE}${project.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'iu').test(query);
  });
}
