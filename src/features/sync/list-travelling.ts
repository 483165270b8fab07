import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Feed } from '../../engine/ports.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import { stateOf } from '../../model/held-record.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { Replication } from '../../model/travel-port.ts';
import { checkLinkName } from './clean-incoming.ts';
import { formatTravelLine, type TravelEnd, type TravelFilter, tellable, toTravelLine } from './travel-line.ts';

export interface ListTravellingInput {
  /** Where the last page ended, and of which numbering that is; from the beginning where nothing is said, or it is void. */
  after?: string;
  epoch?: string;
  /** What came by this link is not told back to it. */
  link?: string;
  projects?: readonly string[];
  /** Records as one replica alone would keep them: all earlier versions with each, and of what is not exchanged nothing at all. */
  isWhole?: boolean;
}

export interface TravelPage extends TravelEnd {
  lines: string[];
  /** Ids that were looked at. */
  count: number;
}

const MAX_RECORDS = 500;
const MAX_BYTES = 1_048_576;
const KEPT_MS = 90 * 86_400_000;

/** The feed's reader keeps its place for so long. */
export async function listTravelling(
  parts: EngineParts,
  caller: Caller,
  input: ListTravellingInput,
): Promise<TravelPage> {
  const { space } = caller;
  authorize(caller, 'read', space);
  if (input.link !== undefined) await checkLinkName(parts, caller, input.link);
  const { store, clock, kinds } = parts;
  const { epoch } = await store.readReplica(space);
  const place = await findPlace(parts, space, { after: input.epoch === epoch ? input.after : undefined });
  const filter = { kinds, projects: input.projects };
  const page =
    place.scan === undefined
      ? await followFeed(parts, space, { ...input, after: place.seq, filter })
      : await scan(parts, space, { ...input, after: place.scan, head: place.seq, filter });
  if (input.link !== undefined && page.seq !== null)
    await store.keepPlace(space, `sync ${input.link}`, { seq: page.seq, until: clock.now() + KEPT_MS });
  const { seq: _, ...rest } = page;
  return { ...rest, epoch };
}

interface Place {
  /** The feed's number that has been read, or that stood when the scan was begun. */
  seq: Sequence;
  /** While everything is gone through: the last id. */
  scan?: RecordId;
}

async function findPlace({ store }: { store: Feed }, space: SpaceId, { after }: { after?: string }): Promise<Place> {
  const head = await store.head(space);
  const [, kind, seq, id = ''] = /^([fs]):(\d{1,16})(?::(\w*))?$/.exec(after ?? 's:0:') ?? [];
  if (kind === undefined) throw new EngineError('invalid_cursor', 'This is no place in the changes of a space.');
  const place = Number(seq);
  if (after === undefined) return { seq: head, scan: '' };
  if (kind === 's') return { seq: place, scan: id };
  return place > head || place < (await store.prunedTo(space)) ? { seq: head, scan: '' } : { seq: place };
}

type Found = Omit<TravelPage, 'epoch'> & { seq: Sequence | null };

/** Whatever is known, by id. Ends where the feed stood when it was begun: what has changed since is told from there. */
async function scan(
  { store }: { store: Replication },
  space: SpaceId,
  { after, head, filter, isWhole }: { after: RecordId; head: Sequence; filter: TravelFilter; isWhole?: boolean },
): Promise<Found> {
  const ids = await store.listHeldIds(space, { after, limit: MAX_RECORDS });
  const { lines, cut } = await readLines({ store, space, filter, isWhole }, ids, -1);
  const done = cut === null ? ids : ids.slice(0, ids.indexOf(cut));
  const isLast = cut === null && ids.length < MAX_RECORDS;
  const to = isLast ? `f:${head}` : `s:${head}:${done.at(-1)}`;
  return { lines, to, isLast: false, count: done.length, seq: isLast ? head : null };
}

async function followFeed(
  { store }: { store: Feed & Replication },
  space: SpaceId,
  { after, link, filter, isWhole }: { after: Sequence; link?: string; filter: TravelFilter; isWhole?: boolean },
): Promise<Found> {
  const entries = await store.changesAfter(space, after, MAX_RECORDS);
  const actor = link === undefined ? null : syncActor(link);
  const told = entries.filter(({ op, actor: by }) => op !== 'embedded' && by !== actor);
  const ids = [...new Set(told.map(({ id }) => id))];
  const { lines, cut } = await readLines({ store, space, filter, isWhole }, ids, isWhole === true ? -1 : after);
  const last = entries.at(-1)?.seq ?? after;
  const seq = cut === null ? last : told.find(({ id }) => id === cut)!.seq - 1;
  const isLast = cut === null && entries.length < MAX_RECORDS;
  return { lines, to: `f:${seq}`, isLast, count: lines.length, seq };
}

interface Reading {
  store: Replication;
  space: SpaceId;
  filter: TravelFilter;
  isWhole?: boolean;
}

const AT_ONCE = 50;

/** `cut`: the first that there was no room for. */
async function readLines(
  { store, space, filter, isWhole }: Reading,
  ids: readonly RecordId[],
  since: Sequence,
): Promise<{ lines: string[]; cut: RecordId | null }> {
  const lines: string[] = [];
  let bytes = 0;
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    // What is damaged is not passed on; `ltm doctor` names it.
    for (const held of await store.readHeld(space, ids.slice(start, start + AT_ONCE), { note: passOver })) {
      const told = tellable(held, filter);
      const line = isWhole === true && told !== held && stateOf(held) !== null ? null : toTravelLine(told, since);
      if (line === null) continue;
      const text = formatTravelLine(line);
      if (lines.length > 0 && bytes + text.length > MAX_BYTES) return { lines, cut: held.id };
      bytes += text.length;
      lines.push(text);
    }
  }
  return { lines, cut: null };
}

/** All that is known under these ids, as it travels. */
export async function tellRecords(
  { store, kinds }: { store: Replication; kinds: KindTable },
  caller: Caller,
  ids: readonly RecordId[],
): Promise<string[]> {
  authorize(caller, 'read', caller.space);
  const lines: string[] = [];
  for (const held of await store.readHeld(caller.space, ids, { note: passOver })) {
    const line = toTravelLine(tellable(held, { kinds }), -1);
    if (line !== null) lines.push(formatTravelLine(line));
  }
  return lines;
}

/** Who wrote what came by a link, for the change feed. */
export function syncActor(link: string): string {
  return `sync:${link}`;
}
