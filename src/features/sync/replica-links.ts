import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { type Digest, describeSpace, digestSpace as digest } from './digest-space.ts';
import { renewReplica as renew } from './greet-replica.ts';

const MAX_KNOWN = 100;
/** Digests are of one state of the feed, and many ask for the same. */
const knownDigests = () => new Map<string, { key: string; digest: Promise<Digest> }>();

export async function digestSpace(
  parts: EngineParts,
  caller: Caller,
  projects?: readonly string[],
): Promise<Digest & { epoch: string; head: number; time: number }> {
  const { store, clock } = parts;
  const { space } = caller;
  authorize(caller, 'read', space);
  const known = parts.state(knownDigests);
  const [head, { epoch }] = [await store.head(space), await store.readReplica(space)];
  const which = JSON.stringify([space, projects]);
  const key = `${epoch} ${head}`;
  if (known.get(which)?.key !== key) known.set(which, { key, digest: digest(parts, space, projects) });
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return { ...(await known.get(which)!.digest), epoch, head, time: clock.now() };
}

/** What the digest is of, record by record. */
export async function* describeRecords(
  parts: EngineParts,
  caller: Caller,
  projects?: readonly string[],
): AsyncGenerator<{ id: RecordId; text: string }> {
  authorize(caller, 'read', caller.space);
  yield* describeSpace(parts, caller.space, projects, { skipsHidden: true });
}

export async function listLinks(
  { store }: EngineParts,
  caller: Caller,
): Promise<{ name: string; state: JsonObject }[]> {
  authorize(caller, 'read', caller.space);
  return store.listLinks(caller.space);
}

export async function keepLink(
  { store }: EngineParts,
  caller: Caller,
  link: { name: string; state: JsonObject | null },
): Promise<void> {
  authorize(caller, 'write', caller.space);
  const state = link.state === null ? null : { ...link.state, seq: await store.head(caller.space) };
  const committed = await store.commit(caller.space, [{ op: 'link', name: link.name, state }], 'sync');
  if (committed.outcome === 'conflict') throw new EngineError('internal', 'A link could not be kept.');
}

/** This database may not be the one it was: it goes on as another replica. */
export async function renewReplica(parts: EngineParts, caller: Caller): Promise<{ replica: string; epoch: string }> {
  authorize(caller, 'write', caller.space);
  return renew(parts, caller.space);
}
