import { randomBytes } from 'node:crypto';
import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records, Sharing } from '../../engine/ports.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { makeSearchable } from '../../engine/records/make-searchable.ts';
import { actorOf, originOf } from '../../engine/records/origin.ts';
import { contentOf, putRecord, readSearchable, updateChange } from '../../engine/records/record-changes.ts';
import { makeContent, screenRecord } from '../../engine/records/store-record.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { sha256Of } from '../../model/sha256.ts';
import type { AllowUnredacted } from '../../privacy/field-finding.ts';
import { authorizeOwner, needOwnPacket } from './find-packet.ts';
import { packetBody, packetKind, packetRecordId, toStoredPacket } from './packet-kind.ts';
import type { PacketPublication, SavePacketOutcome, StoredPacket } from './packet-record.ts';
import { parsePacket } from './parse-packet.ts';

export interface SavePacketInput {
  /** As received, or completed by whoever received it, who says then how many bytes came. */
  raw: Uint8Array | string;
  received?: number;
  allowUnredacted?: AllowUnredacted;
}

/** Into the caller's space. An id that is there is replaced, one that was deleted comes back; both only by their author or an admin. */
export async function savePacket(
  parts: EngineParts,
  caller: Caller,
  { raw, received, allowUnredacted }: SavePacketInput,
): Promise<SavePacketOutcome> {
  const { space } = caller;
  authorize(caller, 'write', space);
  const parsed = parsePacket(raw, { received });
  if (parsed.outcome === 'invalid') return parsed;
  const { packet, canonical } = parsed;
  const now = parts.clock.now();
  const body = packetBody({ canonical, pushedBy: caller.userId, published: null });
  const drafted = makeContent(packetKind, now, {
    agent: caller.agent ?? null,
    ...originOf(caller, caller.host),
    body,
  });
  const { findings, content } = await screenRecord(parts, caller, {
    kind: packetKind,
    content: drafted,
    allowUnredacted,
  });
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
async function nextPlace({ store }: { store: Records }, space: SpaceId, now: Instant): Promise<Instant> {
  const { items } = await store.listRecords(space, { kinds: [packetKind.name], after: now }, { limit: 1 });
  return items[0] === undefined ? now : items[0].createdAt + 1;
}

/** 160 bits: nobody comes upon a page by trying. */
const SLUG_BYTES = 20;
const SLUG = /^[A-Za-z0-9_-]{27}$/;

/** Anyone with the address can read it from now on. A packet that is published keeps its address and its time. */
export async function publishPacket(parts: EngineParts, caller: Caller, id: string): Promise<PacketPublication> {
  const sharing = needSharing(parts);
  return retryConflicts(async () => {
    const record = await needOwnPacket(parts, caller, id);
    const there = toStoredPacket(record).published;
    const published = there ?? { slug: randomBytes(SLUG_BYTES).toString('base64url'), at: parts.clock.now() };
    if (there === null && !(await rewrite(parts, caller, { record, published }))) return null;
    await sharing.addLink(
      {
        sha256: hashSlug(published.slug),
        space: record.space,
        recordId: record.id,
        createdAt: published.at,
        userId: caller.userId,
      },
      actorOf(caller),
    );
    return published;
  });
}

/** False when it was not published. */
export async function unpublishPacket(parts: EngineParts, caller: Caller, id: string): Promise<boolean> {
  return retryConflicts(async () => {
    const record = await needOwnPacket(parts, caller, id);
    if (toStoredPacket(record).published === null) return false;
    await removePage(parts, caller, record);
    return (await rewrite(parts, caller, { record, published: null })) ? true : null;
  });
}

async function removePage(parts: EngineParts, caller: Caller, record: StoredRecord): Promise<void> {
  const { published } = toStoredPacket(record);
  if (published !== null) await parts.sharing?.removeLink(hashSlug(published.slug), actorOf(caller));
}

/** What stands behind a public address; null for one that never was, or is no more. Needs no caller: the address is the right. */
export async function readPublicPacket(
  { store, sharing }: { store: Records; sharing?: Sharing },
  slug: string,
): Promise<StoredPacket | null> {
  const link = SLUG.test(slug) ? ((await sharing?.findLink(hashSlug(slug))) ?? null) : null;
  if (link === null) return null;
  const [record] = await store.getRecords(link.space, [link.recordId]);
  if (record === undefined || record.kind !== packetKind.name || record.deletedAt !== null) return null;
  const stored = toStoredPacket(record);
  return stored.published?.slug === slug ? stored : null;
}

async function rewrite(
  parts: EngineParts,
  caller: Caller,
  change: { record: StoredRecord; published: PacketPublication | null },
): Promise<boolean> {
  const { record, published } = change;
  const content = { ...contentOf(record), body: packetBody({ ...toStoredPacket(record), published }) };
  const put = updateChange(record, content, {
    ...(await readSearchable(parts, record)),
    unlessDuplicate: false,
  });
  return (await parts.store.commit(record.space, [put], actorOf(caller))).outcome === 'committed';
}

function needSharing({ sharing }: { sharing?: Sharing }): Sharing {
  if (sharing !== undefined) return sharing;
  throw new EngineError('forbidden', 'Publishing is not available here.', {
    hint: 'Use `ltm publish`, or publish through a server.',
  });
}

function hashSlug(slug: string): string {
  return sha256Of(slug);
}

/** A public page goes at once; the packet itself can be brought back by saving it again. */
export async function deletePacket(parts: EngineParts, caller: Caller, id: string): Promise<void> {
  await retryConflicts(async () => {
    const record = await needOwnPacket(parts, caller, id);
    await removePage(parts, caller, record);
    const at = await parts.time.timeOfDeletion();
    const change = { op: 'delete', id: record.id, at, revision: record.revision } as const;
    const committed = await parts.store.commit(record.space, [change], actorOf(caller));
    return committed.outcome === 'committed' ? true : null;
  });
}
