import type { TakeChange } from '../../model/change.ts';
import { refuseDamage } from '../../model/damage.ts';
import { type HeldRelation, letGo, listRelationsOf, stateOf } from '../../model/held-record.ts';
import type { RecordId } from '../../model/ids.ts';
import { isEnded } from '../../model/relation.ts';
import type { SharedState } from '../../model/shared-state.ts';
import { checksumsOf, sumStored, writeRecord, writeVersions } from './change-records.ts';
import { type Applying, appendToFeed, type CommitWork, missing, type Of, readStanding } from './commit-work.ts';
import { readHeld } from './held-records.ts';
import { refuseRevision } from './mark-records.ts';
import { removeRow } from './purge-records.ts';
import { isAsWritten, sumVersions, toVersionRow } from './record-row.ts';
import { settleKeys, shareKey } from './share-keys.ts';
import { readEnds, readStamps, replaceStamps, writeStamps } from './stamp-writes.ts';
import { type Steps, select, send, sendRows, write } from './statements.ts';
import { LINKS, RELATIONS, summedColumns, withSum } from './sums.ts';

/** What another replica has made of a record. */
export function* applyTake(work: CommitWork, change: TakeChange): Applying {
  const { space, index } = work;
  const { id, expect, generation } = change;
  const { row: previous, buried, stamps: had } = yield* readStanding(work, id);
  const isAsRead =
    (previous?.revision ?? null) === expect.revision &&
    (had?.state ?? null) === expect.stamps &&
    buried === expect.buried;
  if (!isAsRead || buried >= generation) return { reason: 'revision', index, id, actual: previous?.revision ?? 0 };
  if (change.record === null) {
    // Nothing is shown of it, and nothing was: followers of the feed have nothing to do.
    yield* replaceStamps(space, id, { had, generation, state: change.stamps });
    appendToFeed(work, { op: 'purged', id, kind: null, revision: null });
    return null;
  }
  if (previous !== undefined && !isAsWritten(previous)) refuseDamage({ what: 'record', id });
  const shared = yield* shareKey(work, { record: { ...change.record, id, space }, stamps: change.stamps });
  const record = { ...shared.record, revision: (previous?.revision ?? 0) + 1 };
  const known = yield* select<{ dot: string }>(
    'SELECT dot FROM record_versions WHERE space_id = $1 AND record_id = $2',
    space,
    id,
  );
  const versions = change.versions
    .filter((version) => !known.some(({ dot }) => dot === version.record.dot))
    .map((version) => toVersionRow({ ...version, record: { ...version.record, space, dot: version.record.dot! } }));
  const before = previous === undefined ? 0 : (previous.versions_sum ?? (yield* sumStored(space, id)));
  const { passages, vectors } = change;
  const versionsSum = sumVersions(checksumsOf(versions), before);
  yield* writeRecord(work, { record, passages, vectors, previous, versionsSum });
  yield* writeVersions(work, id, versions);
  yield* replaceStamps(space, id, { had, generation, state: shared.stamps });
  yield* setRelations(work, id, change.relations);
  if (previous === undefined) yield* settleRelations(work, id);
  return null;
}

const SELECT_OUT = `SELECT ${RELATIONS.columns.join(', ')} FROM relations WHERE space_id = $1 AND from_id = $2`;
const INSERT_RELATION = { table: RELATIONS.table, columns: summedColumns(RELATIONS) };
const WAIT = { table: 'waiting', columns: ['name', 'record_id'], conflict: 'ON CONFLICT DO NOTHING' };

/** Those that begin at a record, in place of all that are there. */
function* setRelations(work: CommitWork, id: RecordId, relations: readonly HeldRelation[]): Steps<void> {
  const { space } = work;
  type Row = { to_id: RecordId; type: string; weight: number; created_at: number; body: string };
  const there = yield* select<Row>(SELECT_OUT, space, id);
  const ends = yield* readEnds(space, [id, ...relations.map(({ to }) => to)]);
  const isHere = ({ to, toGeneration }: HeldRelation) => ends.get(to)?.generation === toGeneration;
  const wanted = new Map(relations.filter(isHere).map((relation) => [`${relation.to} ${relation.type}`, relation]));
  const kind = ends.get(id)!.kind;
  for (const row of there) {
    const next = wanted.get(`${row.to_id} ${row.type}`);
    const isSame =
      next !== undefined &&
      next.weight === row.weight &&
      next.createdAt === row.created_at &&
      JSON.stringify(next.body) === row.body;
    if (isSame) {
      wanted.delete(`${row.to_id} ${row.type}`);
      continue;
    }
    const gone = [space, id, row.to_id, row.type];
    yield* send('DELETE FROM relations WHERE space_id = $1 AND from_id = $2 AND to_id = $3 AND type = $4', ...gone);
    work.tally.change.relations--;
    const relation = { to: row.to_id, type: row.type };
    if (next === undefined) appendToFeed(work, { op: 'unrelated', id, kind, revision: null, relation });
  }
  for (const relation of wanted.values()) yield* addRelation(work, kind, relation);
  const late = relations.filter((relation) => !isHere(relation)).map(({ to }) => [to, id]);
  yield* sendRows({ into: WAIT, space, rows: late });
}

function* addRelation(work: CommitWork, kind: string, relation: HeldRelation): Steps<void> {
  const { from, to, type, weight, createdAt, body } = relation;
  const values = withSum([from, to, type, weight, createdAt, JSON.stringify(body)]);
  yield* sendRows({ into: INSERT_RELATION, space: work.space, rows: [values] });
  work.tally.change.relations++;
  const op = isEnded(relation) ? 'unrelated' : 'related';
  appendToFeed(work, { op, id: from, kind, revision: null, relation: { to, type } });
}

/** Relations of other records that have waited for this one. */
function* settleRelations(work: CommitWork, id: RecordId): Steps<void> {
  const { space } = work;
  const waiting = yield* select<{ record_id: RecordId }>(
    'SELECT record_id FROM waiting WHERE space_id = $1 AND name = $2',
    space,
    id,
  );
  if (waiting.length === 0) return;
  const from = waiting.map(({ record_id }) => record_id);
  const ends = yield* readEnds(space, [id, ...from]);
  for (const [other, { state }] of yield* readStamps(space, from)) {
    const begin = ends.get(other);
    if (begin === undefined) continue;
    const due = listRelationsOf(other, JSON.parse(state) as SharedState).filter(
      ({ to, toGeneration }) => to === id && toGeneration === ends.get(id)!.generation,
    );
    for (const relation of due) yield* addRelation(work, begin.kind, relation);
  }
  yield* send('DELETE FROM waiting WHERE space_id = $1 AND name = $2', space, id);
}

/** Text, versions and relations go as with a purge; what is left says what became of each part, and no more. */
export function* applyExpire(work: CommitWork, { id, revision }: Of<'expire'>): Applying {
  const { space, index } = work;
  const { row } = yield* readStanding(work, id);
  if (row === undefined || row.deleted_at === null) return missing(index, id);
  const conflict = refuseRevision(revision, row, index);
  if (conflict !== null) return conflict;
  const [held] = yield* readHeld(space, [id]);
  const incoming = yield* select<{ from_id: RecordId }>(
    'SELECT from_id FROM relations WHERE space_id = $1 AND to_id = $2',
    space,
    id,
  );
  yield* removeRow(work, row);
  if (held !== undefined && held.record !== null)
    yield* writeStamps(space, id, { generation: row.generation, state: JSON.stringify(letGo(stateOf(held)!)) });
  yield* sendRows({
    into: WAIT,
    space,
    rows: [...new Set(incoming.map(({ from_id }) => from_id))].map((from) => [id, from]),
  });
  appendToFeed(work, { op: 'purged', id, kind: row.kind, revision: null });
  work.revisions.delete(id);
  return null;
}

const WRITE_LINK = {
  table: LINKS.table,
  columns: summedColumns(LINKS),
  conflict: 'ON CONFLICT (space_id, name) DO UPDATE SET state = excluded.state, crc = excluded.crc',
};

export function* applyLink(work: CommitWork, { name, state }: Of<'link'>): Applying {
  const { space } = work;
  if (state === null) yield* send('DELETE FROM sync_links WHERE space_id = $1 AND name = $2', space, name);
  else yield* sendRows({ into: WRITE_LINK, space, rows: [withSum([name, JSON.stringify(state)])] });
  yield* settleKeys(work);
  return null;
}

export function* applyRenew({ space }: CommitWork, { replica, epoch }: Of<'renew'>): Applying {
  yield* write('UPDATE feed_heads SET replica = $2, epoch = $3 WHERE space_id = $1', space, replica, epoch);
  return null;
}
