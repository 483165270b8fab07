import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { stateOf } from '../../model/held-record.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { Replication } from '../../model/travel-port.ts';
import { describeHolding } from './describe-holding.ts';
import { tellable } from './travel-line.ts';

const PAGE = 500;

export interface Digest {
  digest: string;
  /** How much it covers. */
  records: number;
  graves: number;
}

interface DigestParts {
  store: Replication;
  kinds: KindTable;
}

const MAX_KNOWN = 100;
/** Digests are of one state of the feed, and many ask for the same. */
const knownDigests = () => new Map<string, { key: string; digest: Promise<Digest> }>();

export async function digestOwnSpace(
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
  if (known.get(which)?.key !== key) known.set(which, { key, digest: digestSpace(parts, space, projects) });
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return { ...(await known.get(which)!.digest), epoch, head, time: clock.now() };
}

/** What the digest is of, record by record. */
export async function* describeOwnSpace(
  parts: EngineParts,
  caller: Caller,
  projects?: readonly string[],
): AsyncGenerator<{ id: RecordId; text: string }> {
  authorize(caller, 'read', caller.space);
  yield* describeSpace(parts, caller.space, projects, { skipsHidden: true });
}

/** Of what has been exchanged: equal ones mean that both sides hold the same. */
export async function digestSpace(
  parts: DigestParts,
  space: SpaceId,
  projects: readonly string[] | undefined,
): Promise<Digest> {
  const hash = createHash('sha256');
  const counted = { records: 0, graves: 0 };
  for await (const { text, isRecord, isBuried } of describeSpace(parts, space, projects)) {
    if (isRecord) counted.records++;
    if (isBuried) counted.graves++;
    hash.update(`${text}\n`);
  }
  return { digest: hash.digest('hex').slice(0, 32), ...counted };
}

export interface Described {
  id: RecordId;
  text: string;
  isRecord: boolean;
  isBuried: boolean;
}

/**
 * All that replicas exchange, in the order of ids, as `describeHolding` has it. `skipsHidden`: of what is not exchanged, that an earlier generation
 * was purged is not told either.
 */
export async function* describeSpace(
  { store, kinds }: DigestParts,
  space: SpaceId,
  projects: readonly string[] | undefined,
  { skipsHidden = false } = {},
): AsyncGenerator<Described> {
  for (let after: RecordId | null = null; ; await nextTurn()) {
    const ids: RecordId[] = await store.listHeldIds(space, { after, limit: PAGE });
    for (const held of await store.readHeld(space, ids, { note: passOver, versions: false })) {
      const told = tellable(held, { kinds, projects });
      if (skipsHidden && told !== held && stateOf(held) !== null) continue;
      const text = describeHolding({ id: told.id, buried: told.buried, state: stateOf(told) });
      if (text !== null) yield { id: held.id, text, isRecord: told.record !== null, isBuried: held.buried > 0 };
    }
    after = ids.at(-1) ?? null;
    if (ids.length < PAGE) return;
  }
}
