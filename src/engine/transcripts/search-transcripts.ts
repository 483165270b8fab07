import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { readOpaque, writeOpaque } from '../../model/opaque.ts';
import type { StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { readFilter } from '../records/list-records.ts';
import { needWorkspace } from '../workspaces/find-workspace.ts';
import { type LinearPattern, OutOfTime } from '../workspaces/linear-regex.ts';
import { type LineQuery, patternOf, SEARCH_MS } from '../workspaces/search-notes.ts';
import { readChunks } from './read-chunks.ts';
import { chunksIn, TRANSCRIPT } from './transcript-kind.ts';

const PAGE = 10;
const MAX_LINE_CHARS = 500;
const NEWLINE = 0x0a;

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

/** Where a search goes on: a page of transcripts, one of them, a piece of it. */
interface Place {
  page: string | null;
  skip: number;
  chunk: number;
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
  for (;;) {
    const { items, cursor: next } = await parts.store.listRecords(caller.space, filter, {
      limit: PAGE,
      cursor: place.page,
      total: false,
    });
    for (const [i, record] of items.entries()) {
      if (i < place.skip) continue;
      const from = i === place.skip ? place.chunk : 0;
      const stopped = await searchOne(parts, record, { from, look, deadline, limit: limit - matches.length, matches });
      if (stopped !== null) {
        const at: Place = { page: place.page, skip: i, chunk: stopped.chunk };
        return { matches, cursor: writeOpaque([at.page, at.skip, at.chunk]), timedOut: stopped.timedOut };
      }
      await nextTurn();
    }
    if (next === null) return { matches, cursor: null, timedOut: false };
    place = { page: next, skip: 0, chunk: 0 };
  }
}

function readPlace(cursor: string | undefined): Place {
  if (cursor === undefined) return { page: null, skip: 0, chunk: 0 };
  const read = readOpaque(cursor);
  const [page, skip, chunk] = Array.isArray(read) ? read : [];
  const isSound =
    (page === null || typeof page === 'string') && [skip, chunk].every((one) => Number.isSafeInteger(one));
  if (isSound) return { page, skip: Number(skip), chunk: Number(chunk) };
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
  look: Look;
  deadline: number;
  limit: number;
  matches: SessionMatch[];
}

/** Null: all of it was looked through. A search that has enough stops after the piece it is in, so that no match is left out or told twice. */
async function searchOne(
  parts: EngineParts,
  record: StoredRecord,
  { from, look, deadline, limit, matches }: Searching,
): Promise<{ chunk: number; timedOut: boolean } | null> {
  const chunks = chunksIn(record.body);
  const most = matches.length + limit;
  let line = chunks.slice(0, from).reduce((sum, { lines }) => sum + lines, 0);
  let carried: Buffer = Buffer.alloc(0);
  for await (const { bytes, index } of readChunks(parts, record.space, { chunks, from })) {
    if (performance.now() > deadline) return { chunk: index, timedOut: true };
    const whole: Buffer = carried.length === 0 ? bytes : Buffer.concat([carried, bytes]);
    const isLast = index === chunks.length - 1;
    const end = isLast ? whole.length : whole.lastIndexOf(NEWLINE) + 1;
    carried = whole.subarray(end);
    const complete = whole.subarray(0, end);
    try {
      if (look.mayHold(complete)) matches.push(...matchLines(complete, line, look.pattern, record));
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      return { chunk: index, timedOut: true };
    }
    line += chunks[index]!.lines;
    if (matches.length >= most && !isLast) return { chunk: index + 1, timedOut: false };
  }
  return null;
}

function matchLines(
  bytes: Buffer,
  first: number,
  pattern: LinearPattern,
  { workspace, body }: StoredRecord,
): SessionMatch[] {
  const found: SessionMatch[] = [];
  let [from, line] = [0, first];
  for (let end = bytes.indexOf(NEWLINE); from < bytes.length; end = bytes.indexOf(NEWLINE, from)) {
    const to = end < 0 ? bytes.length : end;
    const text = bytes.toString('utf8', from, to);
    if (pattern.test(text))
      found.push({
        workspaceId: workspace ?? '',
        sessionId: String(body.sessionId),
        line,
        text: excerpt(text, pattern),
      });
    from = to + 1;
    line++;
  }
  return found;
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
