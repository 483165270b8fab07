import { randomBytes } from 'node:crypto';
import { authorize, isAllowed } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Sequence, SpaceId } from '../../model/ids.ts';
import { newReplicaId } from '../../model/ids.ts';
import { checkLinkName } from './clean-incoming.ts';
import { renameWrites } from './rename-writes.ts';
import { TRAVEL_FORMAT } from './travel-line.ts';

export interface GreetInput {
  /** Of the replica that greets: the link's own name, and the last ticket that it was given; 0 at first. */
  link: string;
  ticket: number;
  format: number;
  /** At the end of an exchange: the ticket is kept, and a database that still shows an earlier one is a copy from before. */
  isKept?: boolean;
  /** What is exchanged is sealed: the space is, or is not, and must be as the replica thinks. */
  isSealed?: boolean;
}

export interface Greeting {
  format: number;
  replica: string;
  epoch: string;
  /** To be kept with what is exchanged now, and shown the next time. */
  ticket: number;
  /** A ticket that is older than one that was used tells that a backup was put back: there, or here. */
  stale: 'yours' | 'ours' | null;
  /** The space is the caller's own: what it says is believed as the caller is. */
  isOwn: boolean;
  mayWrite: boolean;
}

/** What is kept of a link by the side that is called. */
interface KnownLink {
  [key: string]: string | number;
  /** The last one that was shown, and the one that was given then. */
  shown: number;
  given: number;
  user: string;
  at: number;
  seq: Sequence;
}

/** Under which name a link stands with the side that is called. */
const CALLED = 'from ';

export async function greetReplica(parts: EngineParts, caller: Caller, input: GreetInput): Promise<Greeting> {
  const { space, userId } = caller;
  authorize(caller, 'read', space);
  expectFormat(input.format);
  await checkLinkName(parts, caller, input.link);
  const { store, clock } = parts;
  const { sealed } = await store.readReplica(space);
  if (sealed > 0 && input.isSealed !== true)
    throw new EngineError('space_sealed', 'This space is sealed, and this machine does not have its key.', {
      hint: 'Join with the recovery words: `ltm sync memory --words FILE`, or `--words -` for a pipe.',
    });
  if (sealed === 0 && input.isSealed === true)
    throw new EngineError('conflict', 'This space is not sealed here, and this replica seals what it sends.', {
      details: { reason: 'not_sealed' },
    });
  const mayWrite = isAllowed(caller, 'write', space);
  const name = CALLED + input.link;
  const known = (await store.listLinks(space)).find((link) => link.name === name)?.state as KnownLink | undefined;
  const { shown = 0, given = 0 } = known ?? {};
  const stale = input.ticket > given ? 'ours' : input.ticket < shown ? 'yours' : null;
  // Only whoever may write here is believed that this database is an old one.
  if (stale === 'ours' && mayWrite) await renewReplica(parts, space);
  const ticket = Math.max(given, input.ticket) + (input.isKept === true ? 0 : 1);
  const state: KnownLink = {
    shown: stale === 'yours' ? shown : input.ticket,
    given: ticket,
    user: userId,
    at: clock.now(),
    seq: await store.head(space),
  };
  const committed = await store.commit(space, [{ op: 'link', name, state }], `sync:${input.link}`);
  if (committed.outcome === 'conflict') throw new EngineError('internal', 'A link could not be kept.');
  const { replica, epoch } = await store.readReplica(space);
  return { format: TRAVEL_FORMAT, replica, epoch, ticket, stale, isOwn: space === userId, mayWrite };
}

function expectFormat(format: number): void {
  if (format === TRAVEL_FORMAT) return;
  const side = format < TRAVEL_FORMAT ? 'the machine that asks' : 'the server';
  throw new EngineError(
    'invalid_input',
    `Replicas of the formats ${format} and ${TRAVEL_FORMAT} cannot be exchanged.`,
    {
      hint: `Upgrade ltm on ${side}.`,
      details: { field: 'format', format: TRAVEL_FORMAT },
    },
  );
}

/**
 * Goes on as another replica, because another may have written under the old name. What was written here since a ticket was last exchanged could
 * bear the name of another's write: it is given to the new replica.
 */
export async function renewReplica(parts: EngineParts, space: SpaceId): Promise<{ replica: string; epoch: string }> {
  const { store } = parts;
  const links = await store.listLinks(space);
  const sure = Math.max(0, ...links.map(({ state }) => (typeof state.seq === 'number' ? state.seq : 0)));
  const { replica: before } = await store.readReplica(space);
  const next = { replica: newReplicaId(), epoch: randomBytes(8).toString('hex') };
  await renameWrites(parts, space, { before, after: sure, replica: next.replica });
  await store.commit(space, [{ op: 'renew', ...next }], 'sync');
  return next;
}

/** This database may not be the one it was: it goes on as another replica. */
export async function renewOwnReplica(parts: EngineParts, caller: Caller): Promise<{ replica: string; epoch: string }> {
  authorize(caller, 'write', caller.space);
  return renewReplica(parts, caller.space);
}
