import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { PacketPublication, StoredPacket } from '../../model/packet-record.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Sharing } from '../ports.ts';
import { actorOf } from '../records/origin.ts';
import { contentOf, readSearchable, updateChange } from '../records/record-changes.ts';
import { retryConflicts } from '../records/retry-conflicts.ts';
import { needOwnPacket } from './find-packet.ts';
import { packetKind } from './packet-kind.ts';
import { packetBody, toStoredPacket } from './packet-record.ts';

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
      { sha256: hashSlug(published.slug), space: record.space, recordId: record.id, createdAt: published.at },
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

export async function removePage(parts: EngineParts, caller: Caller, record: StoredRecord): Promise<void> {
  const { published } = toStoredPacket(record);
  if (published !== null) await parts.sharing?.removeLink(hashSlug(published.slug), actorOf(caller));
}

/** What stands behind a public address; null for one that never was, or is no more. Needs no caller: the address is the right. */
export async function readPublicPacket({ store, sharing }: EngineParts, slug: string): Promise<StoredPacket | null> {
  const link = SLUG.test(slug) ? ((await sharing?.findLink(hashSlug(slug))) ?? null) : null;
  if (link === null) return null;
  const [record] = await store.getRecords(link.space, [link.recordId]);
  if (record === undefined || record.kind !== packetKind.name || record.deletedAt !== null) return null;
  const stored = toStoredPacket(record);
  return stored.published?.slug === slug ? stored : null;
}

async function rewrite(
  { store }: EngineParts,
  caller: Caller,
  change: { record: StoredRecord; published: PacketPublication | null },
): Promise<boolean> {
  const { record, published } = change;
  const content = { ...contentOf(record), body: packetBody({ ...toStoredPacket(record), published }) };
  const put = updateChange(record, content, {
    ...(await readSearchable(store, record.space, record.id)),
    unlessDuplicate: false,
  });
  return (await store.commit(record.space, [put], actorOf(caller))).outcome === 'committed';
}

function needSharing({ sharing }: EngineParts): Sharing {
  if (sharing !== undefined) return sharing;
  throw new EngineError('forbidden', 'Nothing can be published from here.', {
    hint: 'Publish with `ltm publish` or over a server.',
  });
}

function hashSlug(slug: string): string {
  return createHash('sha256').update(slug).digest('hex');
}
