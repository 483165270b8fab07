import { randomBytes } from 'node:crypto';
import type { Caller } from '../../model/caller.ts';
import type { Change, PutChange } from '../../model/change.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { RejectedHow } from '../../model/rejection.ts';
import type { Replication } from '../../model/travel-port.ts';
import { createPacer } from '../../model/turn.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Clock } from '../ports.ts';
import { retryConflicts } from '../records/change-record.ts';
import { actorOf, originOf } from '../records/origin.ts';
import { updateChange } from '../records/record-changes.ts';
import { makeContent } from '../records/store-record.ts';
import { foldInTurns, hashFolded, hintOfFolded, hintOfPlain, type Rejecting } from './claims.ts';
import { keyId, rejectionId, rejectionKind } from './rejection-kind.ts';
import type { AllRejections } from './space-rejections.ts';
import { spanOf } from './statements.ts';

/** Words are kept of what a person has looked at and called wrong, and of nothing else: what was deleted or purged leaves a hash. */
const KEEPS_WORDS: ReadonlySet<RejectedHow> = new Set(['rejected', 'resolved']);

/** The changes that keep these texts out, of one commit; what is kept out already by as much stays as it is. */
export async function planRejections(
  parts: EngineParts,
  caller: Caller,
  { space, rejecting }: { space: SpaceId; rejecting: readonly Rejecting[] },
): Promise<Change[]> {
  if (rejecting.length === 0) return [];
  const changes: Change[] = [];
  const key = await findKey(parts, caller, { space, changes });
  const { byClaim, keys } = await parts.rejections.fresh(space);
  const wanted = new Map<RecordId, { claim: string; hint: number; one: Rejecting }>();
  const pace = createPacer();
  for (const one of rejecting) {
    const folded = await foldInTurns(one.text, pace);
    // A tombstone under another replica's key serves as well.
    const other = [...keys.values()].find((some) => byClaim.has(hashFolded(some, folded, one.from))) ?? key;
    const claim = hashFolded(other, folded, one.from);
    await pace();
    wanted.set(rejectionId(claim), { claim, hint: hintOfPlain(other, one.text) ?? hintOfFolded(other, folded), one });
  }
  const known = await parts.store.getRecords(space, [...wanted.keys()]);
  const there = new Map(known.map((record) => [record.id, record]));
  for (const [id, { claim, hint, one }] of wanted)
    changes.push(...planOne(parts, caller, { id, claim, hint, one, known: there.get(id) }));
  return changes;
}

async function findKey(
  { rejections, store, clock }: { rejections: AllRejections; store: Replication; clock: Clock },
  caller: Caller,
  { space, changes }: { space: SpaceId; changes: Change[] },
): Promise<Buffer> {
  const [known] = (await rejections.fresh(space)).keys.values();
  if (known !== undefined) return known;
  const { replica } = await store.readReplica(space);
  const key = randomBytes(32);
  const id = keyId(replica);
  const content = makeContent(rejectionKind, clock.now(), {
    type: 'key',
    agent: null,
    ...originOf(caller, null),
    body: { key: key.toString('base64') },
  });
  const put: PutChange = { op: 'put', id, content, passages: [], vectors: [], expect: 'new', unlessDuplicate: false };
  changes.push(put);
  return key;
}

interface One {
  id: RecordId;
  claim: string;
  hint: number;
  one: Rejecting;
  known: StoredRecord | undefined;
}

function planOne({ clock }: { clock: Clock }, caller: Caller, { id, claim, hint, one, known }: One): Change[] {
  const { text, how, why, from, project, record, kind } = one;
  const isKept = known !== undefined && known.deletedAt === null;
  const mayTell = KEEPS_WORDS.has(how);
  // What was purged takes its words from the tombstone too.
  if (isKept && (how !== 'purged' || known.body.text === undefined) && (why === null || known.body.why === why))
    return [];
  const now = clock.now();
  const said = why ?? (isKept && typeof known.body.why === 'string' ? known.body.why : null);
  const body: JsonObject = {
    claim,
    hint,
    span: spanOf(text),
    how,
    why: said,
    from,
    record,
    of: kind,
    by: actorOf(caller),
    ...(mayTell && { text }),
  };
  const content = makeContent(rejectionKind, now, {
    type: how,
    agent: null,
    project,
    ...originOf(caller, null),
    body,
  });
  const options = { passages: [], vectors: [], unlessDuplicate: false };
  if (known === undefined) return [{ op: 'put', id, content, ...options, expect: 'new', isDerived: true }];
  const changes: Change[] = [];
  let { revision } = known;
  if (!isKept) changes.push({ op: 'restore', id, at: now, revision: revision++ });
  const put = updateChange({ ...known, revision, trust: content.trust }, content, options);
  return [...changes, { ...put, isDerived: true }];
}

const AT_ONCE = 100;

/** In commits of their own, for what is gone already. */
export async function leaveRejections(
  parts: EngineParts,
  caller: Caller,
  { space, rejecting }: { space: SpaceId; rejecting: readonly Rejecting[] },
): Promise<void> {
  for (let at = 0; at < rejecting.length; at += AT_ONCE) {
    const some = rejecting.slice(at, at + AT_ONCE);
    await retryConflicts(async () => {
      const changes = await planRejections(parts, caller, { space, rejecting: some });
      if (changes.length === 0) return true;
      const committed = await parts.store.commit(space, changes, actorOf(caller));
      return committed.outcome === 'committed' ? true : null;
    });
  }
}
