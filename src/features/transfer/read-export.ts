import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { unpackChunk } from '../../engine/pieces/pack-chunk.ts';
import { findFaults, type KindTable } from '../../engine/records/kind.ts';
import type { Grave } from '../../model/change.ts';
import type { Chunk } from '../../model/chunk.ts';
import type { Dot, RecordId } from '../../model/ids.ts';
import { MAX_JSON_DEPTH, measureDepth } from '../../model/json-text.ts';
import type { Relation } from '../../model/relation.ts';
import { replicaOf } from '../../model/shared-state.ts';
import { headerSchema, lineSchemas } from './export-lines.ts';
import type { ExportedRecord } from './export-records.ts';
import { readSummedLine } from './line-sum.ts';

/** As many as anybody reads, where a fault refuses the whole file. Lines that are left out are named each. */
const MAX_PROBLEMS = 100;

export interface ImportedRecord {
  record: ExportedRecord & { stamps?: string };
  /** Newest first. */
  versions: { record: ExportedRecord; replacedAt: number; reason: string | null }[];
}

export interface LineProblem {
  line: number;
  message: string;
}

export interface ReadExport {
  records: ImportedRecord[];
  relations: Relation[];
  graves: Grave[];
  /** How many pieces of transcripts; they are handed on as they come. */
  chunks: number;
  /** Any refuses the file. */
  problems: LineProblem[];
  /** Lines that were left out because they are damaged, as was asked for. */
  skipped: LineProblem[];
  /** What the file says that it lacks. */
  lacking: string[];
}

interface Reading extends ReadExport {
  ids: Set<RecordId>;
  end: z.infer<typeof lineSchemas.end> | null;
  /** Whether every line carries a sum of its own. */
  isSummed: boolean;
  sha256: string;
}

interface ReadOptions {
  skipDamaged?: boolean;
  /** Given each piece of a transcript: they are large, harm nobody on their own, and are not held back until all is read. */
  takeChunk?: (chunk: Chunk) => Promise<void>;
}

/** Reads and checks a whole export before anything is written; it is held in memory, about twice the size of the file. */
export async function readExport(
  kinds: KindTable,
  lines: AsyncIterable<string>,
  { skipDamaged = false, takeChunk }: ReadOptions = {},
): Promise<ReadExport> {
  const reading: Reading = {
    records: [],
    relations: [],
    graves: [],
    chunks: 0,
    problems: [],
    skipped: [],
    lacking: [],
    ids: new Set(),
    end: null,
    isSummed: true,
    sha256: '',
  };
  const faults: LineProblem[] = [];
  const checksum = createHash('sha256');
  let number = 0;
  for await (const raw of lines) {
    number++;
    const text = (number === 1 ? raw.replace(/^\uFEFF/, '') : raw).replace(/\r?\n?$/, '');
    if (text === '') continue;
    const message =
      reading.end === null
        ? await readLine(kinds, reading, { text, number, takeChunk })
        : 'There is text after the end line.';
    if (message !== null && (skipDamaged || faults.length < MAX_PROBLEMS)) faults.push({ line: number, message });
    if (reading.end === null) checksum.update(`${text}\n`);
  }
  reading.sha256 = checksum.digest('hex');
  const fault = number === 0 ? 'The file is empty.' : judgeEnd(reading);
  if (fault !== null && (faults.length === 0 || skipDamaged)) faults.push({ line: number, message: fault });
  return settle(reading, faults, skipDamaged);
}

/** What is wrong with a file is a reason to refuse it, or a list of what was left out: where it can be told what that is. */
function settle(reading: Reading, faults: LineProblem[], skipDamaged: boolean): ReadExport {
  const { ids: _, end, isSummed, sha256, ...read } = reading;
  if (!skipDamaged) return { ...read, problems: faults };
  const isIntact = end !== null && end.sha256 === sha256;
  if (faults.length === 0 || isSummed || isIntact) return { ...read, skipped: faults };
  const message =
    'The file was changed, and its lines carry no checksums of their own: which of them are damaged cannot be told.';
  return { ...read, problems: [...faults, { line: 1, message }] };
}

async function readLine(
  kinds: KindTable,
  reading: Reading,
  { text, number, takeChunk }: { text: string; number: number } & ReadOptions,
): Promise<string | null> {
  const { text: said, matches } = readSummedLine(text);
  if (matches === null) reading.isSummed = false;
  const value = parse(said);
  if (value === undefined) return 'This line is not JSON.';
  if (measureDepth(said) > MAX_JSON_DEPTH) return `This line is nested more than ${MAX_JSON_DEPTH} levels deep.`;
  if (number === 1)
    return !headerSchema.safeParse(value).success
      ? 'This is not an ltm export, or its version is not supported.'
      : matches === false
        ? CHANGED
        : null;
  const kind = LINE_KINDS.find((name) => Object.hasOwn(value, name));
  if (kind === undefined || Object.keys(value).length !== 1)
    return 'This is neither a record nor a version, a relation, a grave, a piece of a transcript, a mark of damage or the end.';
  const read = lineSchemas[kind].safeParse(value[kind]);
  if (!read.success) return `In this ${kind}: ${describe(read.error)}`;
  const line = { kind, data: read.data } as Line;
  const fault = line.kind === 'chunk' ? await findChunkFault(line.data) : await findFault(kinds, line);
  if (fault !== null) return `In this ${kind}: ${fault}.`;
  if (matches !== false && line.kind === 'chunk') await takeChunk?.(line.data);
  return matches === false ? CHANGED : keep(reading, line);
}

async function findChunkFault(chunk: Chunk): Promise<string | null> {
  if (chunk.alias !== null) return chunk.packed.length === 0 ? null : 'as a whole it is kept twice';
  return unpackChunk(chunk).then(
    () => null,
    () => 'as a whole it is not what its hash says',
  );
}

const CHANGED = 'This line does not match its checksum: it was changed.';

const LINE_KINDS = ['record', 'version', 'relation', 'grave', 'chunk', 'damaged', 'end'] as const;

/** What the record's own kind has to say against it: the same that a repair asks. */
async function findFault(kinds: KindTable, line: Line): Promise<string | null> {
  if (line.kind !== 'record' && line.kind !== 'version') return null;
  const record = line.kind === 'record' ? line.data : line.data.record;
  const kind = kinds.find(record.kind);
  if (kind === undefined) return `kind "${record.kind}" is none of ${kinds.names.join(', ')}`;
  const [fault] = await findFaults(kind, record);
  return fault === undefined ? null : `as a whole ${fault}`;
}

type Line = {
  [K in keyof typeof lineSchemas]: { kind: K; data: z.infer<(typeof lineSchemas)[K]> };
}[keyof typeof lineSchemas];

function keep(reading: Reading, line: Line): string | null {
  if (line.kind === 'end') reading.end = line.data;
  else if (line.kind === 'relation') reading.relations.push(line.data);
  else if (line.kind === 'grave') reading.graves.push(line.data);
  else if (line.kind === 'chunk') reading.chunks++;
  else if (line.kind === 'damaged') reading.lacking.push(describeLacking(line.data));
  else if (line.kind === 'record') {
    if (reading.ids.has(line.data.id)) return `The record ${line.data.id} occurs twice.`;
    reading.ids.add(line.data.id);
    reading.records.push({ record: line.data, versions: [] });
  } else {
    const owner = reading.records.at(-1);
    if (owner === undefined || owner.record.id !== line.data.record.id)
      return 'A version must follow its record, which is not here.';
    const newer = owner.versions.at(-1)?.record ?? owner.record;
    if (isSameWriter(line.data.record, newer) && line.data.record.revision >= newer.revision)
      return 'Versions must be listed from the newest to the oldest.';
    owner.versions.push(line.data);
  }
  return null;
}

/** Replicas count revisions each for itself: only one's own have an order. */
function isSameWriter(a: { dot: Dot | null }, b: { dot: Dot | null }): boolean {
  return (a.dot === null ? null : replicaOf(a.dot)) === (b.dot === null ? null : replicaOf(b.dot));
}

function describeLacking({ what, id, missing }: z.infer<typeof lineSchemas.damaged>): string {
  if (id === undefined) return `${missing ?? 1} of its ${what}s, which nobody could name`;
  return what === 'record' || what === 'chunk'
    ? `the ${what === 'chunk' ? 'piece of a transcript' : what} ${id}`
    : what === 'grave' || what === 'stamps'
      ? `the ${what} of ${id}`
      : `a ${what} of ${id}`;
}

function judgeEnd({ end, records, relations, graves, chunks, lacking, sha256 }: Reading): string | null {
  if (end === null) return 'The end line is missing: the file is truncated.';
  const versions = records.reduce((sum, { versions: some }) => sum + some.length, 0);
  const counted = [records.length, versions, relations.length, graves.length, chunks, lacking.length];
  if (
    [end.records, end.versions, end.relations, end.graves, end.chunks, end.damaged].some(
      (count, i) => count !== counted[i],
    )
  )
    return 'The counts in the end line do not match.';
  return end.sha256 === sha256 ? null : 'The checksum in the end line does not match: the file was changed.';
}

function parse(text: string): (object & { [key: string]: unknown }) | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined; // named as a problem of this line
  }
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? 'it is not valid.' : `${issue.path.join('.') || 'as a whole'} ${issue.message}.`;
}
