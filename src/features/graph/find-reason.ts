import type { StoredRecord } from '../../model/record.ts';
import { weighWords } from '../../search/text/lexical-similarity.ts';
import { judgeStatements } from '../truth/judge-statements.ts';
import { parseStatements } from '../truth/parse-statements.ts';
import type { Statement } from '../truth/statement.ts';
import { extractEntities } from './extract-entities.ts';

type End = Pick<StoredRecord, 'id' | 'key' | 'content' | 'createdAt'>;

/** What one text says about another: the type of relation, who it begins at, and the words that say it. */
export interface TypedReason {
  type: string;
  from: End;
  to: End;
  confidence: number;
  reason: string;
}

interface Cue {
  type: string;
  pattern: RegExp;
  /** The relation begins at the text that is spoken of. */
  isReversed?: true;
  /** What must hold of the text that is spoken of. */
  of?: RegExp;
  /** And what must not: a cure is cured by nothing. */
  notOf?: RegExp;
  /** The text that speaks cannot be the older one. */
  isLater?: true;
}

const TROUBLE =
  /\b(?:errors?|fail(?:s|ed|ing|ures?)?|bugs?|crash(?:es|ed|ing)?|broken|breaks|flaky|times? ?out|hangs?|hanging|leaks?|leaking|panics?|regression|wrong(?:ly)?|slow|stuck|race|deadlocks?|duplicates?|twice|lost|missing|(?:does|do|did)(?:n.t| not) work|cannot|too (?:long|many|much|late))\b|Error\b|Exception\b|\bE[A-Z]{5,}\b/;

/** In English: what follows the cue, up to the end of its sentence, must be what the other text is about. */
const CUES: readonly Cue[] = [
  {
    type: 'fixes',
    pattern:
      /\b(?:fix(?:es|ed)?|resolv(?:es|ed)|solv(?:es|ed)|cures|cured|repairs|repaired|works? around|workaround for|mitigates|mitigated|got rid of|put an end to|closes|closed)\b:?/gi,
    of: TROUBLE,
    notOf: /^[^\n]{0,40}\b(?:fix|resolv|solv|clos)/i,
    isLater: true,
  },
  {
    type: 'causes',
    pattern:
      /\b(?:caused by|due to|because of|as a result of|came from|comes from|stems from|triggered by|root cause(?: is| was)?:?)/gi,
    isReversed: true,
  },
  {
    type: 'causes',
    pattern: /\b(?:causes|leads to|led to|results in|resulted in|triggers|triggered|broke|breaks)\b/gi,
    of: TROUBLE,
  },
  {
    type: 'supersedes',
    pattern:
      /\b(?:instead of|no longer|replac(?:es|ed|ing)|supersed(?:es|ed|ing)|obsoletes|reverts|reverted|(?:switched|moved|migrated|changed|away) from)\b:?/gi,
    isLater: true,
  },
  {
    type: 'follows',
    pattern:
      /\b(?:follow[- ]?up (?:to|on|of|for)|continues|continuing|continuation of|next step after|builds on|building on|extends)\b/gi,
    isLater: true,
  },
  {
    type: 'derived-from',
    pattern:
      /\b(?:based on|derived from|summar(?:y of|ises|izes)|taken from|extracted from|distilled from|copied from)\b/gi,
    isLater: true,
  },
  {
    type: 'supports',
    pattern: /\b(?:confirms|confirmed|bears out|backs up|proves|proved)\b/gi,
  },
];

/** What `ltm conflicts` shows from 0.8 on is for people to judge; an edge of the graph must be right. */
const SURE_CONTRADICTION = 0.9;
const MAX_CLAUSE = 160;
const MAX_QUOTED = 120;
/** Kinds of entities of which one name means one thing. */
const EXACT = /^(?:ticket|url|decision):/;

/** What two texts themselves say of each other: the surest of it, or nothing. Whether they are related at all is judged elsewhere. */
type FindReason = (a: End, b: End, shared: ReadonlySet<string>) => TypedReason | null;

/** For many pairs of a few texts: the statements of each are read once. */
export function createReasonFinder(): FindReason {
  const known = new Map<string, Statement[]>();
  const statementsOf = ({ id, content }: End): Statement[] => {
    const read = known.get(id) ?? parseStatements(content);
    known.set(id, read);
    return read;
  };
  return (a, b, shared) => findReason([a, b], shared, statementsOf);
}

function findReason(
  [a, b]: readonly [End, End],
  shared: ReadonlySet<string>,
  statementsOf: (end: End) => Statement[],
): TypedReason | null {
  const cues = [...readCues(a, b, shared), ...readCues(b, a, shared)];
  // "No longer" denies, too: who says what holds instead says more than that there are two minds.
  const denied = cues.some(({ type }) => type === 'supersedes') ? [] : readContradiction([a, b], statementsOf);
  const found = [...cues, ...denied, ...readMention(a, b), ...readMention(b, a)];
  return found.reduce<TypedReason | null>(
    (best, each) => (each.confidence > (best?.confidence ?? 0) ? each : best),
    null,
  );
}

/** By its id, or by its key where it is marked as a name: `[[release-day]]`, `` `release-day` ``. */
function isNamedIn(text: string, { id, key }: End): boolean {
  return text.includes(id) || (key !== null && (text.includes(`[[${key}]]`) || text.includes(`\`${key}\``)));
}

function readMention(from: End, to: End): TypedReason[] {
  const reason = `names ${to.key ?? to.id}`;
  return isNamedIn(from.content, to) ? [{ type: 'mentions', from, to, confidence: 0.95, reason }] : [];
}

function readContradiction([a, b]: readonly [End, End], statementsOf: (end: End) => Statement[]): TypedReason[] {
  for (const one of statementsOf(a))
    for (const other of statementsOf(b)) {
      const judged = judgeStatements(one, other);
      if (judged !== null && judged.confidence >= SURE_CONTRADICTION)
        return [{ type: 'contradicts', from: a, to: b, confidence: judged.confidence, reason: judged.reason }];
    }
  return [];
}

function readCues(speaking: End, spoken: End, shared: ReadonlySet<string>): TypedReason[] {
  const found: TypedReason[] = [];
  let terms: Set<string> | null = null;
  for (const { type, pattern, isReversed, of, notOf, isLater } of CUES) {
    if (isLater && speaking.createdAt < spoken.createdAt) continue;
    if (of?.test(spoken.content) === false || notOf?.test(spoken.content) === true) continue;
    for (const match of speaking.content.matchAll(pattern)) {
      const clause = readClause(speaking.content, match.index + match[0].length);
      terms ??= new Set(listTerms(spoken.content));
      const confidence = isNamedIn(clause, spoken) ? 0.97 : judgeClause(clause, { spoken, terms, shared });
      if (confidence === 0) continue;
      const said = `${match[0]}${clause}`.replace(/\s+/g, ' ').trim();
      const reason = `“${said.length > MAX_QUOTED ? `${said.slice(0, MAX_QUOTED)}…` : said}”`;
      const [from, to] = isReversed ? [spoken, speaking] : [speaking, spoken];
      found.push({ type, from, to, confidence, reason });
    }
  }
  return found;
}

function readClause(text: string, start: number): string {
  const [clause] = /^[^\n;]*?(?=[.!?](?:\s|$)|[\n;]|$)/.exec(text.slice(start, start + MAX_CLAUSE)) ?? [''];
  return clause;
}

/** How sure it is that a clause speaks of a text: it names something that few name, or says in its words what it is about. */
function judgeClause(
  clause: string,
  { spoken, terms, shared }: { spoken: End; terms: ReadonlySet<string>; shared: ReadonlySet<string> },
): number {
  const named = extractEntities(clause).filter(({ kind, key }) => kind !== 'person' && shared.has(key));
  const said = [...new Set(listTerms(clause))];
  const common = said.filter((term) => terms.has(term)).length;
  const overlap = said.length === 0 ? 0 : common / said.length;
  const exact = named.find(({ key }) => EXACT.test(key));
  // A text that begins with its number is that ticket; others merely have to do with it, as this one has.
  if (exact !== undefined && spoken.content.startsWith(exact.name)) return 0.95;
  if (common < 2 || overlap < 0.5) return 0;
  if (named.length > 0) return 0.65;
  return common >= 3 && overlap >= 0.75 ? 0.55 : 0;
}

function listTerms(text: string): string[] {
  return weighWords(text).flatMap(({ text: word, each }) => (each === 1 ? [word] : []));
}
