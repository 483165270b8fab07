import * as z from 'zod';
import { isRecordId } from '../../model/ids.ts';
import { type JsonObject, jsonObjectSchema } from '../../model/json.ts';
import { hashContent, RECORD_KINDS, TRUST_TIERS } from '../../model/record.ts';
import { packetRecordId } from '../packets/packet-record-id.ts';
import { parsePacket } from '../packets/parse-packet.ts';
import { EXPORT_FORMAT, EXPORT_VERSION } from './export-lines.ts';

const DOORS = ['cli', 'mcp', 'rest', 'import', 'job'] as const;

const text = z
  .string()
  .refine((value) => value.isWellFormed() && !value.includes('\0'), 'holds characters that cannot be stored');
const id = z.string().refine(isRecordId, 'is not a record id');
const label = text.min(1).max(200).nullable();
const instant = z.number().int();
const body = jsonObjectSchema.refine(isStorable, 'holds characters that cannot be stored');

const recordSchema = z
  .strictObject({
    id,
    kind: z.enum(RECORD_KINDS),
    revision: z.number().int().positive(),
    key: label,
    type: text.min(1).max(200),
    title: text.nullable(),
    content: text,
    contentHash: z.string().regex(/^[0-9a-f]{64}$/),
    tags: z.array(text.min(1)),
    project: label,
    agent: label,
    session: label,
    conversation: label,
    source: z.strictObject({
      door: z.enum(DOORS),
      userId: text.min(1),
      client: text.optional(),
      host: text.optional(),
    }),
    trust: z.enum(TRUST_TIERS),
    quality: z.number().min(0).max(1),
    createdAt: instant,
    updatedAt: instant,
    validFrom: instant.nullable(),
    validUntil: instant.nullable(),
    supersededBy: id.nullable(),
    deletedAt: instant.nullable(),
    body,
    generation: z.number().int().positive().default(1),
    dot: z
      .string()
      .regex(/^[0-9a-f-]{1,64}:\d{1,16}$/)
      .nullable()
      .default(null),
  })
  .refine(
    (record) => record.kind !== 'memory' || record.contentHash === hashContent(record.content),
    'the content does not match its hash',
  )
  .refine(
    (record) => record.kind !== 'packet' || isPacketOf(record.id, record.body),
    'this is not a packet, or not the one of its id',
  );

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
export const headerSchema = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.union([z.literal(1), z.literal(EXPORT_VERSION)]),
});

/** Which of the kinds a line claims to be decides which faults are worth naming. */
export const lineSchemas = {
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

function isPacketOf(recordId: string, { canonical, pushedBy }: JsonObject): boolean {
  if (typeof canonical !== 'string' || typeof pushedBy !== 'string') return false;
  const parsed = parsePacket(canonical);
  return parsed.outcome === 'valid' && parsed.canonical === canonical && packetRecordId(parsed.packet.id) === recordId;
}
