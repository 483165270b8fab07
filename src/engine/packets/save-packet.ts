import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import { type AllowUnredacted, type SavePacketOutcome, withoutAllowed } from '../../model/packet-record.ts';
import type { StoredRecord } from '../../model/record.ts';
import { checkPacket } from '../../privacy/check-packet.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { embedPassages } from '../memories/make-passages.ts';
import { retryConflicts } from '../memories/retry-conflicts.ts';
import { actorOf } from '../memories/stamp.ts';
import { authorizeOwner } from './find-packet.ts';
import { packetPassages } from './packet-passages.ts';
import { packetContent, toStoredPacket } from './packet-record.ts';
import { packetRecordId } from './packet-record-id.ts';
import { parsePacket } from './parse-packet.ts';

export interface SavePacketInput {
  /** As received. */
  raw: Uint8Array | string;
  allowUnredacted?: AllowUnredacted;
}

/** Into the caller's space. An id that is there is replaced, one that was deleted comes back; both only by their author or an admin. */
export async function savePacket(
  parts: EngineParts,
  caller: Caller,
  input: SavePacketInput,
): Promise<SavePacketOutcome> {
  const { store } = parts;
  const { space } = caller;
  authorize(caller, 'write', space);
  const parsed = parsePacket(input.raw);
  if (parsed.outcome === 'invalid') return parsed;
  const { packet, canonical } = parsed;
  const findings = withoutAllowed(checkPacket(packet), input.allowUnredacted ?? false);
  if (findings.length > 0) return { outcome: 'unredacted', findings };
  const recordId = packetRecordId(packet.id);
  const passages = packetPassages(packet).map(({ ordinal, text }) => ({ ordinal, text }));
  const { vectors } = await embedPassages(parts, passages);
  return retryConflicts(async () => {
    const [known] = await store.getRecords(space, [recordId]);
    if (known !== undefined) authorizeOwner(caller, known);
    const before = known === undefined ? null : toStoredPacket(known);
    const isLive = known !== undefined && known.deletedAt === null;
    if (isLive && before?.canonical === canonical) return { outcome: 'unchanged', id: packet.id, recordId } as const;
    const now = parts.clock.now();
    const pushedBy = before?.pushedBy ?? caller.userId;
    const order = await nextPlace(parts, space, now);
    const content = packetContent(caller, {
      packet,
      canonical,
      pushedBy,
      order,
      now,
      published: isLive ? (before?.published ?? null) : null,
    });
    const put = { op: 'put', id: recordId, content, passages, vectors, unlessDuplicate: false } as const;
    const changes: Change[] =
      known === undefined
        ? [{ ...put, expect: 'new' }]
        : [...revive(known, now), { ...put, expect: revisionAfter(known) }];
    const committed = await store.commit(space, changes, actorOf(caller));
    return committed.outcome === 'committed' ? ({ outcome: 'saved', id: packet.id, recordId } as const) : null;
  });
}

/** Listings follow the order of arrival, which a clock that goes back, or stands still for two packets, must not change. */
async function nextPlace({ store }: EngineParts, space: SpaceId, now: Instant): Promise<Instant> {
  const { items } = await store.listRecords(space, { kinds: ['packet'], after: now }, { limit: 1 });
  return items[0] === undefined ? now : items[0].createdAt + 1;
}

function revive({ id, deletedAt, revision }: StoredRecord, at: Instant): Change[] {
  return deletedAt === null ? [] : [{ op: 'restore', id, at, revision }];
}

function revisionAfter({ deletedAt, revision }: StoredRecord): number {
  return deletedAt === null ? revision : revision + 1;
}
