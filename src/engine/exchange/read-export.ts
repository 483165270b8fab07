import { createHash } from 'node:crypto';
import * as z from 'zod';
import { DOORS } from '../../model/caller.ts';
import type { Grave } from '../../model/change.ts';
import { isRecordId, type RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { isObject, MAX_JSON_DEPTH, measureDepth } from '../../model/json-text.ts';
import {
  COLUMN_FIELDS,
  type ColumnField,
  type FieldType,
  MEMORY_FIELDS,
  type MemoryField,
} from '../../model/memory-fields.ts';
import { TRUST_TIERS } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import { findFaults, type KindTable } from '../records/kind.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportedRecord } from './export-records.ts';

const MAX_PROBLEMS = 100;

export interface ImportedRecord {
  record: ExportedRecord;
  /** Newest first. */
  versions: { record: ExportedRecord; replacedAt: number; reason: string | null }[];
}

interface ReadExport {
  records: ImportedRecord[];
  relations: Relation[];
  graves: Grave[];
  problems: { line: number; message: string }[];
}

interface Reading extends ReadExport {
  ids: Set<RecordId>;
  end: z.infer<typeof lineSchemas.end> | null;
  sha256: string;
}

/** Reads and checks a whole export before anything is written; it is held in memory, about twice the size of the file. */
export async function readExport(kinds: KindTable, lines: AsyncIterable<string>): Promise<ReadExport> {
  const reading: Reading = {
    ...{ records: [], relations: [], graves: [], problems: [] },
    ...{ ids: new Set(), end: null, sha256: '' },
  };
  const checksum = createHash('sha256');
  let number = 0;
  for await (const raw of lines) {
    number++;
    const text = (number === 1 ? raw.replace(/^\uFEFF/, '') : raw).replace(/\r?\n?$/, '');
    if (text === '') continue;
    const message =
      reading.end === null ? await readLine(kinds, reading, { text, number }) : 'There is text after the end line.';
    if (message !== null && reading.problems.length < MAX_PROBLEMS) reading.problems.push({ line: number, message });
    if (reading.end === null) checksum.update(`${text}\n`);
  }
  reading.sha256 = checksum.digest('hex');
  const fault = number === 0 ? 'The file is empty.' : judgeEnd(reading);
  if (fault !== null && reading.problems.length === 0) reading.problems.push({ line: number, message: fault });
  const { records, relations, graves, problems } = reading;
  return { records, relations, graves, problems };
}

async function readLine(
  kinds: KindTable,
  reading: Reading,
  { text, number }: { text: string; number: number },
): Promise<string | null> {
  const value = parse(text);
  if (value === undefined) return 'This line is not JSON.';
  if (measureDepth(text) > MAX_JSON_DEPTH) return `This line is nested more than ${MAX_JSON_DEPTH} levels deep.`;
  if (number === 1)
    return headerSchema.safeParse(value).success ? null : 'This is not an ltm export, or its version is not supported.';
  const kind = (['record', 'version', 'relation', 'grave', 'end'] as const).find((name) => Object.hasOwn(value, name));
  if (kind === undefined || Object.keys(value).length !== 1)
    return 'This is neither a record nor a version, a relation, a grave or the end.';
  const read = lineSchemas[kind].safeParse(value[kind]);
  if (!read.success) return `In this ${kind}: ${describe(read.error)}`;
  const line = { kind, data: read.data } as Line;
  const fault = await findFault(kinds, line);
  return fault === null ? keep(reading, line) : `In this ${kind}: ${fault}.`;
}

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
  else if (line.kind === 'record') {
    if (reading.ids.has(line.data.id)) return `The record ${line.data.id} occurs twice.`;
    reading.ids.add(line.data.id);
    reading.records.push({ record: line.data, versions: [] });
  } else {
    const owner = reading.records.at(-1);
    if (owner === undefined || owner.record.id !== line.data.record.id) return 'A version must follow its record.';
    const newer = owner.versions.at(-1)?.record ?? owner.record;
    if (line.data.record.revision >= newer.revision) return 'Versions must be listed from the newest to the oldest.';
    owner.versions.push(line.data);
  }
  return null;
}

function judgeEnd({ end, records, relations, graves, sha256 }: Reading): string | null {
  if (end === null) return 'The end line is missing: the file is truncated.';
  const versions = records.reduce((sum, { versions: some }) => sum + some.length, 0);
  const counted = [records.length, versions, relations.length, graves.length];
  if ([end.records, end.versions, end.relations, end.graves].some((count, i) => count !== counted[i]))
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

const text = z
  .string()
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'contains characters that cannot be stored');
const id = z.string().refine(isRecordId, 'is not a record id');
const instant = z.number().int();
/** As it stands in the file: a record of schemas would drop the key `__proto__`, which earlier releases took. */
const body = z
  .custom<JsonObject>(isObject, 'must be an object')
  .refine(isStorable, 'contains characters that cannot be stored');

const trust = z.enum(TRUST_TIERS);
const way = { door: z.enum(DOORS), userId: text.min(1), client: text.optional(), host: text.optional() };

const VALUES: Record<FieldType, z.ZodType> = {
  text,
  label: text.min(1).max(200),
  tags: z.array(text.min(1)),
  json: body,
  fraction: z.number().min(0).max(1),
  instant,
  count: z.number().int().positive(),
  id,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  trust,
  source: z.strictObject({
    ...way,
    unredacted: z.literal(true).optional(),
    at: instant.optional(),
    claimed: z.strictObject({ ...way, trust, createdAt: instant }).optional(),
  }),
};

const columns = Object.fromEntries(
  COLUMN_FIELDS.map((name) => {
    const { type, nullable }: MemoryField = MEMORY_FIELDS[name];
    return [name, nullable === true ? VALUES[type].nullable().default(null) : VALUES[type]];
  }),
) as { [K in ColumnField]: z.ZodType<ExportedRecord[K]> };

/** Those of release 0.1.0 had neither a generation nor a dot. */
const recordSchema = z.strictObject({
  ...columns,
  kind: text,
  title: text.nullable(),
  body,
  generation: z.number().int().positive().default(1),
  dot: z
    .string()
    .regex(/^[0-9a-f-]{1,64}:\d{1,16}$/)
    .nullable()
    .default(null),
});

const versionSchema = z.strictObject({ record: recordSchema, replacedAt: instant, reason: text.nullable() });

const relationSchema = z.strictObject({
  from: id,
  to: id,
  type: text.min(1),
  weight: z.number().min(0).max(1),
  body,
  createdAt: instant,
});

const graveSchema = z.strictObject({ id, generation: z.number().int().positive(), purgedAt: instant });

const count = z.number().int().nonnegative();
const endSchema = z.strictObject({
  records: count,
  versions: count,
  relations: count,
  graves: count.default(0),
  sha256: z.string(),
});

/** Fields that a later version may add to the header do not matter. */
const headerSchema = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.union([z.literal(1), z.literal(EXPORT_VERSION)]),
});

/** Which of the kinds a line claims to be decides which faults are worth naming. */
const lineSchemas = {
  record: recordSchema,
  version: versionSchema,
  relation: relationSchema,
  grave: graveSchema,
  end: endSchema,
} as const;

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}
