import type { Caller } from '../../model/caller.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { AllowUnredacted, SavePacketOutcome } from '../../model/packet-record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { makeSearchable } from '../records/make-searchable.ts';
import { makeContent } from '../records/new-content.ts';
import { originOf } from '../records/origin.ts';
import { putRecord } from '../records/put-record.ts';
import { retryConflicts } from '../records/retry-conflicts.ts';
import { screenRecord } from '../records/screen-record.ts';
import { authorizeOwner } from './find-packet.ts';
import { packetKind } from './packet-kind.ts';
import { packetBody, toStoredPacket } from './packet-record.ts';
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
  { raw, allowUnredacted }: SavePacketInput,
): Promise<SavePacketOutcome> {
  const { space } = caller;
  authorize(caller, 'write', space);
  const parsed = parsePacket(raw);
  if (parsed.outcome === 'invalid') return parsed;
  const { packet, canonical } = parsed;
  const now = parts.clock.now();
  const body = packetBody({ canonical, pushedBy: caller.userId, published: null });
  const content = makeContent(packetKind, now, {
    agent: caller.agent ?? null,
    ...originOf(caller, caller.host),
    body,
  });
  const findings = await screenRecord(packetKind, content, allowUnredacted);
  if (findings.length > 0) return { outcome: 'unredacted', findings };
  const id = packetRecordId(packet.id);
  const { passages, vectors } = await makeSearchable(parts, content);
  return retryConflicts(async (): Promise<SavePacketOutcome | null> => {
    const [known = null] = await parts.store.getRecords(space, [id]);
    if (known !== null) authorizeOwner(caller, known);
    const before = known === null ? null : toStoredPacket(known);
    const isLive = known !== null && known.deletedAt === null;
    if (isLive && before?.canonical === canonical) return { outcome: 'unchanged', id: packet.id, recordId: id };
    const kept = {
      pushedBy: before?.pushedBy ?? caller.userId,
      published: isLive ? (before?.published ?? null) : null,
    };
    const saved = await putRecord(parts, caller, {
      id,
      known,
      content: { ...content, createdAt: await nextPlace(parts, space, now), body: packetBody({ canonical, ...kept }) },
      passages,
      vectors,
      unlessDuplicate: false,
    });
    return saved === null ? null : { outcome: 'saved', id: packet.id, recordId: id };
  });
}

/** Listings follow the order of arrival, which a clock that goes back, or stands still for two packets, must not change. */
async function nextPlace({ store }: EngineParts, space: SpaceId, now: Instant): Promise<Instant> {
  const { items } = await store.listRecords(space, { kinds: [packetKind.name], after: now }, { limit: 1 });
  return items[0] === undefined ? now : items[0].createdAt + 1;
}
