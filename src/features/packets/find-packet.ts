import { authorize, isAllowed } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records } from '../../engine/ports.ts';
import { readPages, spacesOf } from '../../engine/records/find-records.ts';
import { listCompared } from '../../engine/records/second-opinion.ts';
import type { Caller } from '../../model/caller.ts';
import { collectDamage } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordFilter } from '../../model/filter.ts';
import { isPacketIdBeginning, type SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord, Trust } from '../../model/record.ts';
import type { Hit } from '../../model/search.ts';
import { packetKind, packetRecordId, projectLabel, summarisePacket, toStoredPacket } from './packet-kind.ts';
import type { PacketChain, PacketSummary, StoredPacket } from './packet-record.ts';

/** The same id may be in several of the caller's spaces, each a packet of its own: the caller's own space is asked first, then the teams. */
async function* readCopies(
  { store }: { store: Records },
  caller: Caller,
  { id, first = caller.space }: { id: string; first?: SpaceId },
): AsyncGenerator<StoredRecord> {
  for (const space of new Set([first, ...spacesOf(caller)])) {
    authorize(caller, 'read', space);
    const [record] = await store.getRecords(space, [packetRecordId(id)]);
    if (record?.kind === packetKind.name) yield record;
  }
}

/** `first`: where to look before all other spaces. */
async function findPacket(
  parts: EngineParts,
  caller: Caller,
  id: string,
  first?: SpaceId,
): Promise<StoredRecord | null> {
  for await (const record of readCopies(parts, caller, { id, first })) if (record.deletedAt === null) return record;
  return null;
}

/** By its id or the beginning of it. Absent, deleted and foreign packets look the same. */
/** A packet with what is derived of it. */
export async function getPacket(parts: EngineParts, caller: Caller, id: string): Promise<StoredPacket> {
  return toStoredPacket(await needPacket(parts, caller, id));
}

export async function needPacket(parts: EngineParts, caller: Caller, id: string): Promise<StoredRecord> {
  const found = await findPacket(parts, caller, id);
  if (found !== null) return found;
  const whole = await completePacketId(parts, caller, id);
  return (whole === null ? null : await findPacket(parts, caller, whole)) ?? missing(id);
}

/** The one to change. Where the nearest packet of this id is deleted, it ends there: a command that is repeated must not go on to a team's copy. */
export async function needOwnPacket(parts: EngineParts, caller: Caller, id: string): Promise<StoredRecord> {
  const named = (await readCopies(parts, caller, { id }).next()).value;
  const whole = named === undefined ? await completePacketId(parts, caller, id) : null;
  const nearest = whole === null ? named : (await readCopies(parts, caller, { id: whole }).next()).value;
  if (nearest === undefined || nearest.deletedAt !== null) return missing(id);
  authorizeOwner(caller, nearest);
  return nearest;
}

function missing(id: string): never {
  throw new EngineError('not_found', 'not found', {
    hint: '`ltm ls` shows the ids of packets.',
    details: { id: id.slice(0, 64) },
  });
}

/** A packet is changed, published and deleted by whoever handed it in, and by those who look after the team. */
export function authorizeOwner(caller: Caller, record: StoredRecord): void {
  authorize(caller, 'write', record.space);
  const pushedBy = record.body.pushedBy ?? record.source.userId;
  if (pushedBy === caller.userId || isAllowed(caller, 'curate', record.space)) return;
  throw new EngineError('forbidden', 'this packet belongs to another member of the team', {
    hint: 'Only its author and the admins of the team can do this. Save yours under a different id.',
  });
}

const MAX_LENGTH = 200;

/** What a packet continues, as far as the caller may see it; a parent is looked for where its child is first. */
export async function listAncestors(parts: EngineParts, caller: Caller, id: string): Promise<PacketChain> {
  const chain: PacketChain = {
    packets: [toStoredPacket(await needPacket(parts, caller, id))],
    missing: null,
    circular: false,
  };
  while (chain.packets.length < MAX_LENGTH) {
    const { packet, space } = chain.packets.at(-1)!;
    if (packet.parent_id === undefined) return chain;
    const parent = await findPacket(parts, caller, packet.parent_id, space);
    if (parent === null) return { ...chain, missing: packet.parent_id };
    if (chain.packets.some(({ recordId, space: where }) => recordId === parent.id && where === parent.space))
      return { ...chain, circular: true };
    chain.packets.push(toStoredPacket(parent));
  }
  return { ...chain, missing: chain.packets.at(-1)?.packet.parent_id ?? null };
}

export interface ListPacketsInput {
  /** Words or a question: the best match first instead of the newest. */
  search?: string;
  tag?: string;
  project?: string;
  /** Only those that are trusted so far. */
  minTrust?: Trust;
  /** 50 where nothing is said, or nothing that is from 1 to 500. */
  limit?: number;
  cursor?: string;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;
const MAX_HITS = 100;
/** A hit by meaning alone is listed from here on. */
const SURE = 0.5;

/** Those of the caller's space, the last received first. */
export async function listPackets(
  parts: EngineParts,
  caller: Caller,
  input: ListPacketsInput,
): Promise<Page<PacketSummary>> {
  const { space } = caller;
  authorize(caller, 'read', space);
  const { limit: wanted = DEFAULT_LIMIT, cursor } = input;
  const limit = Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_LIMIT ? wanted : DEFAULT_LIMIT;
  const project = projectLabel(input.project);
  const filter: RecordFilter = {
    kinds: [packetKind.name],
    tags: input.tag ? [input.tag] : undefined,
    project: project ?? undefined,
    minTrust: input.minTrust,
  };
  const query = input.search?.trim() ?? '';
  if (query === '') {
    const { note, ids } = collectDamage();
    const page = await listCompared(parts, space, { filter, page: { limit, cursor: cursor || null }, note });
    const packets = { ...page, items: page.items.map(summarisePacket) };
    return ids().length === 0 ? packets : { ...packets, damaged: ids() };
  }
  const asked = { query, filter, limit: Math.min(limit, MAX_HITS), cursor: cursor || undefined };
  const result = await parts.search({ ...caller, spaces: [space] }, asked);
  const hits = result.hits.filter(isMatch);
  const records = await parts.store.getRecords(
    space,
    hits.map(({ id }) => id),
  );
  return {
    items: records.filter(({ deletedAt }) => deletedAt === null).map(summarisePacket),
    total: result.total,
    cursor: result.cursor,
    ...(result.damaged !== undefined && { damaged: result.damaged }),
  };
}

function isMatch({ why, confidence }: Hit): boolean {
  return why.words.length > 0 || confidence >= SURE;
}

const ULID_CHARS = 26;
const PAGE = 100;
/** Packets looked at in a space, the last received first. */
const MAX_LOOKED_AT = 5000;
const MAX_NAMED = 5;

/**
 * The id of the one packet that the caller can see whose id begins so; null where there is none. Only ids that are ULIDs have a beginning: others are words,
 * where the whole of one may be the beginning of another.
 */
async function completePacketId(parts: EngineParts, caller: Caller, beginning: string): Promise<string | null> {
  if (!isPacketIdBeginning(beginning)) return null;
  const wanted = beginning.toUpperCase();
  const found = new Set<string>();
  for (const space of spacesOf(caller)) {
    authorize(caller, 'read', space);
    let looked = 0;
    for await (const { items } of readPages(parts.store, space, {
      filter: { kinds: [packetKind.name] },
      limit: PAGE,
    })) {
      for (const { id } of items.map(summarisePacket))
        if (id.length === ULID_CHARS && id.toUpperCase().startsWith(wanted) && isPacketIdBeginning(id.slice(1)))
          found.add(id);
      looked += items.length;
      if (looked >= MAX_LOOKED_AT) break;
    }
  }
  if (found.size <= 1) return [...found][0] ?? null;
  const named = [...found].slice(0, MAX_NAMED);
  throw new EngineError(
    'conflict',
    `${found.size} ids begin with ${beginning}: ${named.join(', ')}${named.length < found.size ? ' …' : ''}.`,
    { hint: 'Give more of the id.', details: { ref: beginning, candidates: named.join(' ') } },
  );
}
