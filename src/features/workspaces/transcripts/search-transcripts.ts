import { setImmediate as nextTurn } from 'node:timers/promises';
import { authorize } from '../../../engine/authorize.ts';
import type { EngineParts } from '../../../engine/engine-parts.ts';
import { readFilter } from '../../../engine/records/list-records.ts';
import type { Caller } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import { readOpaque, writeOpaque } from '../../../model/opaque.ts';
import type { StoredRecord } from '../../../model/record.ts';
import { needWorkspace } from '../find-workspace.ts';
import { type LinearPattern, OutOfTime } from '../linear-regex.ts';
import { type LineQuery, patternOf, SEARCH_MS } from '../search-notes.ts';
import { readWholeLines, splitLines } from './read-lines.ts';
import { TRANSCRIPT } from './transcript-body.ts';

const PAGE = 10;
const MAX_LINE_CHARS = 500;

export interface SearchTranscriptsInput extends Omit<LineQuery, 'context'> {
  after?: string;
  before?: string;
  cursor?: string;
}

export interface SessionMatch {
  workspaceId: string;
  sessionId: string;
  /** Counted from 0: as `readSession` takes it. */
  line: number;
  /** What stands around the match. */
  text: string;
}

export interface SessionMatches {
  matches: SessionMatch[];
  /** To go on after these, or where the time was over; null: everything was looked through. */
  cursor: string | null;
  timedOut: boolean;
}

/** Where a search goes on: a page of transcripts, one of them, the first line of it that nobody has looked at. */
interface Place {
  page: string | null;
  skip: number;
  line: number;
}

/** Lines of transcripts that hold these very characters, or match a pattern, newest session first. Looks through everything, tool output and attachments included. */
export async function searchTranscripts(
  parts: EngineParts,
  caller: Caller,
  { workspace, limit = 20, after, before, cursor, ...query }: SearchTranscriptsInput,
): Promise<SessionMatches> {
  authorize(caller, 'read', caller.space);
  if (workspace !== undefined) await needWorkspace(parts, caller, workspace);
  const deadline = performance.now() + SEARCH_MS;
  const look = createLook(query, deadline);
  const given = { kinds: [TRANSCRIPT], workspace, includeSuperseded: true };
  const filter = await readFilter(parts, caller, { filter: given, after, before });
  const matches: SessionMatch[] = [];
  let place = readPlace(cursor);
  let mustMove = true;
  for (;;) {
    const { items, cursor: next } = await parts.store.listRecords(caller.space, filter, {
      limit: PAGE,
      cursor: place.page,
      total: false,
    });
    for (const [i, record] of items.entries()) {
      if (i < place.skip) continue;
      const from = i === place.skip ? place.line : 0;
      const stopped = await searchOne(parts, record, { from, mustMove, look, deadline, limit, matches });
      if (stopped !== null)
        return { matches, cursor: writeOpaque([place.page, i, stopped.line]), timedOut: stopped.timedOut };
      mustMove = false;
      await nextTurn();
    }
    if (next === null) return { matches, cursor: null, timedOut: false };
    place = { page: next, skip: 0, line: 0 };
  }
}

function readPlace(cursor: string | undefined): Place {
  if (cursor === undefined) return { page: null, skip: 0, line: 0 };
  const read = readOpaque(cursor);
  const [page, skip, line] = Array.isArray(read) ? read : [];
  const isSound =
    (page === null || typeof page === 'string') &&
    [skip, line].every((one) => Number.isSafeInteger(one) && Number(one) >= 0);
  if (isSound) return { page, skip: Number(skip), line: Number(line) };
  throw new EngineError('invalid_cursor', 'This cursor is not valid for this search.', { hint: 'Search again.' });
}

interface Look {
  /** Whether a line of these bytes may match: a look at all of them at once. */
  mayHold(bytes: Buffer): boolean;
  pattern: LinearPattern;
}

function createLook(query: Pick<LineQuery, 'query' | 'regex' | 'caseSensitive'>, deadline: number): Look {
  const pattern = patternOf(query, deadline);
  if (query.regex === true) return { pattern, mayHold: () => true };
  if (query.caseSensitive === true) return { pattern, mayHold: (bytes) => bytes.includes(query.query) };
  const wanted = query.query.toLowerCase();
  return { pattern, mayHold: (bytes) => bytes.toString('utf8').toLowerCase().includes(wanted) };
}

interface Searching {
  from: number;
  /** It begins here: one line at least is looked at or left behind, however long that takes, so that who asks again gets further. */
  mustMove: boolean;
  look: Look;
  deadline: number;
  limit: number;
  matches: SessionMatch[];
}

/** Where it stopped, so that no match is left out or told twice; null: all of it was looked through. */
async function searchOne(
  parts: EngineParts,
  record: StoredRecord,
  { from, mustMove, look, deadline, limit, matches }: Searching,
): Promise<{ line: number; timedOut: boolean } | null> {
  if (matches.length >= limit) return { line: from, timedOut: false };
  const { workspace, body } = record;
  let line = from;
  try {
    for await (const lines of readWholeLines(parts, record, from)) {
      const isOver = performance.now() > deadline;
      if (isOver && (line > from || !mustMove)) return { line, timedOut: true };
      if (!look.mayHold(lines.bytes)) {
        line = lines.next;
        continue;
      }
      for (const text of splitLines(lines.bytes)) {
        if (matches.length >= limit) return { line, timedOut: false };
        if (look.pattern.test(text)) {
          const at = { workspaceId: workspace ?? '', sessionId: String(body.sessionId), line };
          matches.push({ ...at, text: excerpt(text, look.pattern) });
        }
        line++;
      }
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
    return { line: mustMove ? Math.max(line, from + 1) : line, timedOut: true };
  }
  return null;
}

/** Of a long line the half in which the match still is, and so on. */
function excerpt(text: string, pattern: LinearPattern): string {
  let shown = text;
  while (shown.length > MAX_LINE_CHARS) {
    const third = Math.floor(shown.length / 3);
    const parts = [shown.slice(0, 2 * third), shown.slice(third)];
    const next = parts.find((part) => pattern.test(part));
    if (next === undefined) break;
    shown = next;
  }
  const cut = shown.slice(0, MAX_LINE_CHARS).toWellFormed();
  return `${text.startsWith(shown) ? '' : '…'}${cut}${text.endsWith(cut) ? '' : '…'}`;
}
