import { setImmediate as nextTurn } from 'node:timers/promises';
import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { checkText, invalid } from '../../engine/records/check-text.ts';
import { readPages } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { needWorkspace } from './find-workspace.ts';
import { compilePattern, type LinearPattern, OutOfTime } from './linear-regex.ts';
import { NOTE } from './note-kind.ts';

const PAGE = 50;
const MAX_QUERY_CHARS = 1000;
/** Of one line that is shown. */
const MAX_LINE_CHARS = 1000;
export const SEARCH_MS = 5000;

export interface LineQuery {
  query: string;
  workspace?: string;
  regex?: boolean;
  caseSensitive?: boolean;
  limit?: number;
  /** How many lines before and after each match are shown. */
  context?: number;
}

export interface NoteMatch {
  workspaceId: string;
  path: string;
  /** Counted from 1. */
  line: number;
  text: string;
  before: string[];
  after: string[];
}

export interface NoteMatches {
  matches: NoteMatch[];
  /** There are more, or nobody has looked further. */
  hasMore: boolean;
  /** The time was over before everything was looked through. */
  timedOut: boolean;
}

/** Lines of notes that hold these very characters, or match a pattern, newest note first. Needs no other program and no index. */
export async function searchNotes(
  parts: EngineParts,
  caller: Caller,
  { workspace, limit = 20, context = 1, ...query }: LineQuery,
): Promise<NoteMatches> {
  authorize(caller, 'read', caller.space);
  if (workspace !== undefined) await needWorkspace(parts, caller, workspace);
  const deadline = performance.now() + SEARCH_MS;
  const pattern = patternOf(query, deadline);
  const filter = { kinds: [NOTE], workspace, includeSuperseded: true };
  const matches: NoteMatch[] = [];
  try {
    for await (const { items } of readPages(parts.store, caller.space, { filter, limit: PAGE })) {
      for (const { workspace: place, body, content } of items) {
        const found = matchLines(content.split(/\r?\n/), pattern, { context, limit: limit + 1 - matches.length });
        const at = { workspaceId: place ?? '', path: String(body.path) };
        matches.push(...found.map((match) => ({ ...at, ...match })));
        if (matches.length > limit) return { matches: matches.slice(0, limit), hasMore: true, timedOut: false };
      }
      if (performance.now() > deadline) throw new OutOfTime();
      await nextTurn();
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return { matches, hasMore: true, timedOut: true };
  }
  return { matches, hasMore: false, timedOut: false };
}

/** Throws for a query that cannot be looked for. */
export function patternOf(
  { query, regex = false, caseSensitive = false }: Pick<LineQuery, 'query' | 'regex' | 'caseSensitive'>,
  deadline: number,
): LinearPattern {
  checkText('query', query);
  if (query === '') throw invalid('query', 'is empty');
  if (query.length > MAX_QUERY_CHARS) throw invalid('query', `has more than ${MAX_QUERY_CHARS} characters`);
  if (regex) return compilePattern(query, { caseSensitive, deadline });
  if (caseSensitive) return { test: (line) => line.includes(query) };
  const wanted = query.toLowerCase();
  return { test: (line) => line.toLowerCase().includes(wanted) };
}

function matchLines(
  lines: readonly string[],
  pattern: LinearPattern,
  { context, limit }: { context: number; limit: number },
): Omit<NoteMatch, 'workspaceId' | 'path'>[] {
  const found: Omit<NoteMatch, 'workspaceId' | 'path'>[] = [];
  for (let at = 0; at < lines.length && found.length < limit; at++) {
    if (!pattern.test(lines[at]!)) continue;
    const shown = (from: number, to: number): string[] => lines.slice(Math.max(0, from), to).map(shorten);
    const [before, after] = [shown(at - context, at), shown(at + 1, at + 1 + context)];
    found.push({ line: at + 1, text: shorten(lines[at]!), before, after });
  }
  return found;
}

function shorten(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS).toWellFormed()}…`;
}
