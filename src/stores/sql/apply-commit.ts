import type { Change, Committed } from '../../model/change.ts';
import { relationValue } from '../../model/held-record.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { Json } from '../../model/json.ts';
import { isEnded } from '../../model/relation.ts';
import { sealedSpace } from '../../model/sealed.ts';
import { relationPart } from '../../model/shared-state.ts';
import { applyEmbed, applyImport, applyMend, applyPut } from './change-records.ts';
import {
  type Applying,
  appendToFeed,
  type CommitRequest,
  type CommitStart,
  type CommitWork,
  missing,
  nextDot,
  type Of,
  readAhead,
} from './commit-work.ts';
import { readLastNumber, writeEntries, writeLastNumber } from './feed.ts';
import { leaveLabelsUncounted, readWeights, type Weight, writeLabelCounts } from './label-counts.ts';
import { applyDelete, applyRestore } from './mark-records.ts';
import { applyBury, applyPurge } from './purge-records.ts';
import { applyReceipt } from './receipts.ts';
import { readEnds, stampRelation } from './stamp-writes.ts';
import { exists, type Steps, send, sendRows, write } from './statements.ts';
import { RELATIONS, summedColumns, withSum } from './sums.ts';
import { applyExpire, applyLink, applyRenew, applyTake } from './take-records.ts';

const APPLIERS: { [Op in Change['op']]: (work: CommitWork, change: Of<Op>) => Applying } = {
  put: applyPut,
  delete: applyDelete,
  restore: applyRestore,
  purge: applyPurge,
  bury: applyBury,
  import: applyImport,
  mend: applyMend,
  relate: applyRelate,
  unrelate: applyUnrelate,
  embed: applyEmbed,
  number: applyNumber,
  take: applyTake,
  expire: applyExpire,
  link: applyLink,
  renew: applyRenew,
  receipt: applyReceipt,
};

/** Runs inside a transaction that holds the feed's head. After a conflict what was written so far must be rolled back. */
export function* applyCommit(
  request: CommitRequest,
  { head, replica, mark, tally, isSealed }: CommitStart,
): Steps<Committed> {
  const { changes, ...about } = request;
  if (isSealed && changes.some(({ op }) => BRINGING.includes(op))) throw sealedSpace();
  const work: CommitWork = {
    ...about,
    replica,
    tally,
    entries: [],
    seq: head,
    index: 0,
    revisions: new Map(),
    readAhead: yield* readAhead(request.space, changes.flatMap(recordOf)),
    weights: yield* weighAhead(request.space, changes),
  };
  for (const [index, change] of changes.entries()) {
    work.index = index;
    // The compiler does not follow that the table's entry for an op takes the changes of that op.
    const apply: (work: CommitWork, change: never) => Applying = APPLIERS[change.op];
    const conflict = yield* apply(work, change as never);
    if (conflict !== null) return { outcome: 'conflict', conflict };
  }
  const purged = [...new Map(work.entries.map((entry) => [entry.id, entry])).values()]
    .filter(({ op }) => op === 'purged')
    .map(({ id }) => id);
  if (purged.length > 0) yield* removeLinks(request.space, purged);
  yield* writeEntries(request.space, work.entries, { mark });
  if (tally.isUnsure) yield* leaveLabelsUncounted(request.space);
  else yield* writeLabelCounts(request.space, tally.labels);
  return { outcome: 'committed', head: work.seq, revisions: work.revisions };
}

/** Of what is gone for good, and not written anew in the same commit. Looked for first: few records have one, and the table is everybody's. */
function* removeLinks(space: SpaceId, ids: readonly RecordId[]): Steps<void> {
  const which = 'FROM public_links WHERE space_id = $1 AND record_id = ANY ($2::text[])';
  if (yield* exists(`SELECT 1 ${which}`, space, ids)) yield* send(`DELETE ${which}`, space, ids);
}

/** Of all records that come or go as a whole, in one go. */
function* weighAhead(space: SpaceId, changes: readonly Change[]): Steps<Map<RecordId, Weight>> {
  const ids = changes.flatMap((change) => (isOfWhole(change) ? [change.id] : []));
  return ids.length < 2 ? new Map() : yield* readWeights(space, ids);
}

function isOfWhole(change: Change): change is Of<'delete' | 'restore' | 'purge' | 'expire'> {
  return change.op === 'delete' || change.op === 'restore' || change.op === 'purge' || change.op === 'expire';
}

/** The record whose row a change begins with. */
function recordOf(change: Change): RecordId[] {
  if (change.op === 'import' || change.op === 'mend') return [change.record.id];
  return isOfWhole(change) || change.op === 'put' || change.op === 'take' ? [change.id] : [];
}

/** What would put something readable into a space that is sealed. */
const BRINGING: readonly Change['op'][] = ['put', 'import', 'mend', 'take', 'relate', 'receipt'];

const TAKING_AWAY: readonly Change['op'][] = ['delete', 'purge', 'bury', 'expire', 'unrelate'];

/** Whether a commit does nothing but take away; a receipt may say so. */
export function takesAway(changes: readonly Change[]): boolean {
  const rest = changes.filter(({ op }) => op !== 'receipt');
  return rest.length > 0 && rest.every(({ op }) => TAKING_AWAY.includes(op));
}

/** About how many rows a commit writes, for the bound on one transaction. */
export function weighCommit(changes: readonly Change[]): number {
  let weight = 0;
  for (const change of changes) {
    weight += 1;
    if ('passages' in change) weight += change.passages.length;
    if ('vectors' in change) weight += change.vectors.length;
    if ('versions' in change) weight += change.versions.length;
  }
  return weight;
}

/** Characters that take some ten milliseconds to be written, with what is made of them. */
const LONG_CHARS = 400_000;

/** Whether it writes so much text that others should have their turn meanwhile. */
export function isLongCommit(changes: readonly Change[]): boolean {
  let chars = 0;
  for (const change of changes) {
    if (change.op === 'put') chars += change.content.content.length + textIn(change.content.body);
    else if (change.op === 'import' || change.op === 'mend')
      chars += change.record.content.length + textIn(change.record.body);
  }
  return chars >= LONG_CHARS;
}

/** Characters of all texts of a value. */
function textIn(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let chars = 0;
  for (const one of Object.values(value)) chars += textIn(one);
  return chars;
}

const FIND_RELATION = 'SELECT 1 FROM relations WHERE space_id = $1 AND from_id = $2 AND to_id = $3 AND type = $4';
const WRITE_RELATION = {
  table: 'relations',
  columns: summedColumns(RELATIONS),
  conflict: `ON CONFLICT (space_id, from_id, to_id, type) DO UPDATE SET
    weight = excluded.weight, created_at = excluded.created_at, body = excluded.body, crc = excluded.crc`,
};

/** Says it anew when the relation is already there; one that is said to have ended stays, and the feed tells of its end. */
function* applyRelate(work: CommitWork, { relation }: Of<'relate'>): Applying {
  const { from, to, type, weight, body, createdAt } = relation;
  const ends = yield* readEnds(work.space, [from, to]);
  for (const id of [from, to]) if (!ends.has(id)) return missing(work.index, id);
  const [begin, end] = [ends.get(from)!, ends.get(to)!];
  if (!(yield* exists(FIND_RELATION, work.space, from, to, type))) work.tally.change.relations++;
  yield* sendRows({
    into: WRITE_RELATION,
    space: work.space,
    rows: [withSum([from, to, type, weight, createdAt, JSON.stringify(body)])],
  });
  const part = { [relationPart(relation)]: relationValue(relation, end.generation) };
  yield* stampRelation(work, { id: from, end: begin, dot: nextDot(work) }, part);
  const op = isEnded(relation) ? 'unrelated' : 'related';
  appendToFeed(work, { op, id: from, kind: begin.kind, revision: null, relation: { to, type } });
  return null;
}

/** One that is not there is no obstacle and makes no entry. */
function* applyUnrelate(work: CommitWork, { from, to, type }: Of<'unrelate'>): Applying {
  const removed = yield* write(
    'DELETE FROM relations WHERE space_id = $1 AND from_id = $2 AND to_id = $3 AND type = $4',
    work.space,
    from,
    to,
    type,
  );
  if (removed === 0) return null;
  work.tally.change.relations--;
  const end = (yield* readEnds(work.space, [from])).get(from);
  const part = { [relationPart({ to, type })]: null };
  if (end !== undefined) yield* stampRelation(work, { id: from, end, dot: nextDot(work) }, part);
  appendToFeed(work, { op: 'unrelated', id: from, kind: end?.kind ?? null, revision: null, relation: { to, type } });
  return null;
}

/** The feed's head is held: nobody else gives numbers meanwhile. */
function* applyNumber({ space, index }: CommitWork, { after, upTo }: Of<'number'>): Applying {
  const last = yield* readLastNumber(space);
  if (after !== undefined && after !== last) return { reason: 'numbered', index, last };
  yield* writeLastNumber(space, upTo);
  return null;
}
