import type { Receipt, Receipts, Records } from '../../engine/ports.ts';
import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { sha256Of } from '../../model/sha256.ts';
import { resemblance } from './find-resembling.ts';
import type { Resemblance, StoredOutcome, StoreMemoryInput } from './memory.ts';
import { toMemory } from './to-memory.ts';

/** A request that may be sent twice: its key, and a fingerprint of what it says. */
export interface ReceiptRequest {
  key: string;
  fingerprint: string;
}

/** Keys of two users of one space, or of two verbs, do not meet. */
export function receiptFor(caller: Caller, input: StoreMemoryInput, idempotencyKey: string): ReceiptRequest {
  const { idempotencyKey: _, ...said } = input;
  return {
    key: `store:${caller.userId}:${idempotencyKey}`,
    fingerprint: sha256Of(canonicalJson(said)),
  };
}

/** The first answer to this request; null when it has not been seen; an error when the key came with another request. */
export async function findAnswer(
  store: Records & Receipts,
  space: SpaceId,
  asked: ReceiptRequest,
): Promise<StoredOutcome | null> {
  const receipt = await store.findReceipt(space, asked.key);
  if (receipt === null) return null;
  if (receipt.fingerprint !== asked.fingerprint) {
    throw new EngineError('idempotency_mismatch', 'This idempotency key was used for a different request.', {
      hint: 'Use a new key for a new request; repeat a key only with exactly the same input.',
    });
  }
  return readAnswer(store, space, receipt);
}

/** Holds ids instead of memories, so that a purged text does not live on in a receipt. */
export function receiptChange(asked: ReceiptRequest, outcome: StoredOutcome, at: Instant): Change {
  const answer: JsonObject = {
    outcome: outcome.outcome,
    warnings: outcome.warnings,
    searchableBy: outcome.searchableBy,
    redactions: outcome.redactions.map((redaction) => ({ ...redaction })),
  };
  if (outcome.outcome !== 'refused') answer.id = outcome.memory.id;
  if ('resembles' in outcome) answer.resembles = outcome.resembles.map(({ id, similarity }) => ({ id, similarity }));
  if (outcome.outcome === 'stored') {
    answer.supersedes = outcome.supersedes;
    answer.chunks = outcome.chunks.map((chunk) => chunk.id);
  }
  return { op: 'receipt', key: asked.key, fingerprint: asked.fingerprint, answer, at };
}

interface Answer {
  outcome: StoredOutcome['outcome'];
  warnings: string[];
  searchableBy: StoredOutcome['searchableBy'];
  /** Absent in those of release 0.1. */
  redactions?: StoredOutcome['redactions'];
  id?: RecordId;
  resembles?: { id: RecordId; similarity: number }[];
  supersedes?: RecordId[];
  chunks?: RecordId[];
}

async function readAnswer(store: Records, space: SpaceId, receipt: Receipt): Promise<StoredOutcome> {
  const answer = receipt.answer as JsonObject & Answer;
  const { outcome, id, resembles = [], supersedes = [], chunks = [] } = answer;
  const { warnings, searchableBy, redactions = [] } = answer;
  const remarks = { warnings, searchableBy, redactions };
  const ids = [id, ...resembles.map((other) => other.id), ...chunks].filter((one) => one !== undefined);
  const records = new Map((await store.getRecords(space, ids)).map((record) => [record.id, record]));
  const resembled = resembles.flatMap(({ id: other, similarity }): Resemblance[] => {
    const near = records.get(other);
    return near === undefined ? [] : [resemblance({ record: near, similarity })];
  });
  if (outcome === 'refused') return { outcome, ...remarks, resembles: resembled };
  const record = id === undefined ? undefined : records.get(id);
  if (record === undefined)
    throw new EngineError('not_found', 'The memory that this request stored has since been purged.');
  const memory = toMemory(record);
  if (outcome === 'duplicate' || outcome === 'updated') return { outcome, ...remarks, memory };
  if (outcome !== 'stored') return { outcome, ...remarks, memory, resembles: resembled };
  const pieces = chunks.map((chunk) => records.get(chunk)).filter((piece) => piece !== undefined);
  return { outcome, ...remarks, memory, resembles: resembled, supersedes, chunks: pieces.map(toMemory) };
}
