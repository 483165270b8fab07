import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { selectRecords } from './read-records.ts';
import { type CheckedRow, isAsWritten, parseColumn } from './record-row.ts';
import { type SqlDatabase, type Steps, select, send } from './statements.ts';

/** A sum that does not depend on the order in which records and tags are met. */
export interface TagSum {
  add(row: Pick<CheckedRow, 'id' | 'tags'>): void;
  readonly value: number;
}

const WHOLE = 2 ** 32;

export function createTagSum(): TagSum {
  let value = 0;
  return {
    add({ id, tags }) {
      for (const tag of tagsOf(id, tags)) value = (value + sumOne(id, tag)) % WHOLE;
    },
    get value() {
      return value;
    },
  };
}

function tagsOf(id: RecordId, tags: string): Set<string> {
  return new Set(parseColumn<string[]>(tags, id));
}

function sumOne(id: RecordId, tag: string): number {
  return crc32(`${id} ${tag}`);
}

export interface TagDamage {
  /** Records that have other tags than they should. */
  wrong: Set<RecordId>;
  /** Tags of records that are not there. */
  left: number;
}

const PAGE = 2_000;
/** Where each is looked at with its record. */
const SMALL_PAGE = 200;

/** What records are found by against what they say: as sums, and one by one only where these differ. */
export async function compareTags(database: SqlDatabase, space: SpaceId, expected: TagSum): Promise<TagDamage> {
  const found: TagDamage = { wrong: new Set(), left: 0 };
  let sum = 0;
  for await (const rows of readPages(database, space, PAGE))
    for (const { record_id, tag } of rows) sum = (sum + sumOne(record_id, tag)) % WHOLE;
  if (sum === expected.value) return found;
  for await (const strange of readStrange(database, space)) {
    for (const { record_id, isThere } of strange) {
      if (isThere) found.wrong.add(record_id);
      else found.left++;
    }
  }
  for (let last: RecordId | undefined = ''; last !== undefined; await nextTurn()) {
    const after: RecordId = last;
    const page = await database.read({ space }, () => findLacking(space, after));
    for (const id of page.lacking) found.wrong.add(id);
    last = page.last;
  }
  return found;
}

interface TagRow {
  tag: string;
  record_id: RecordId;
}

async function* readPages(database: SqlDatabase, space: SpaceId, limit: number): AsyncGenerator<readonly TagRow[]> {
  for (let last: TagRow = { tag: '', record_id: '' }; ; await nextTurn()) {
    const after: TagRow = last;
    const rows = await database.read({ space }, () => readPage(space, after, limit));
    yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1)!;
  }
}

function readPage(space: SpaceId, { tag, record_id }: TagRow, limit: number): Steps<readonly TagRow[]> {
  return select<TagRow>(
    `SELECT tag, record_id FROM record_tags WHERE space_id = $1 AND (tag, record_id) > ($2, $3) ORDER BY tag, record_id LIMIT $4`,
    space,
    tag,
    record_id,
    limit,
  );
}

interface StrangeTag extends TagRow {
  /** Its record is. */
  isThere: boolean;
}

/** Tags that their records do not have. */
async function* readStrange(database: SqlDatabase, space: SpaceId): AsyncGenerator<StrangeTag[]> {
  for (let last: TagRow | undefined = { tag: '', record_id: '' }; last !== undefined; await nextTurn()) {
    const after: TagRow = last;
    const page = await database.read({ space }, function* () {
      const rows = yield* readPage(space, after, SMALL_PAGE);
      const { sql, values } = selectRecords(space, [...new Set(rows.map(({ record_id }) => record_id))]);
      const records = new Map((yield* select<CheckedRow>(sql, ...values)).map((row) => [row.id, row]));
      return { rows, records };
    });
    yield page.rows.flatMap(({ tag, record_id }) => {
      const record = page.records.get(record_id);
      // Nobody knows what a damaged record should have: it is named on its own.
      if (record !== undefined && (!isAsWritten(record) || tagsOf(record_id, record.tags).has(tag))) return [];
      return [{ tag, record_id, isThere: record !== undefined }];
    });
    last = page.rows.at(-1);
  }
}

/** Of the next records those that cannot be found by one of their tags. */
function* findLacking(space: SpaceId, after: RecordId): Steps<{ lacking: RecordId[]; last: RecordId | undefined }> {
  const next = yield* select<{ id: RecordId }>(
    `SELECT id FROM records WHERE space_id = $1 AND id > $2 ORDER BY id LIMIT ${SMALL_PAGE}`,
    space,
    after,
  );
  const ids = next.map(({ id }) => id);
  const lacking: RecordId[] = [];
  const { sql, values } = selectRecords(space, ids);
  for (const row of yield* select<CheckedRow>(sql, ...values)) {
    const wanted = isAsWritten(row) ? [...tagsOf(row.id, row.tags)] : [];
    if (wanted.length === 0) continue;
    const there = yield* select(
      'SELECT tag FROM record_tags WHERE space_id = $1 AND record_id = $2 AND tag = ANY ($3::text[])',
      space,
      row.id,
      wanted,
    );
    if (there.length < wanted.length) lacking.push(row.id);
  }
  return { lacking, last: ids.at(-1) };
}

/** Removes tags of records that are not there. */
export async function dropLeftTags(database: SqlDatabase, space: SpaceId): Promise<number> {
  let dropped = 0;
  for await (const strange of readStrange(database, space)) {
    const left = strange.filter(({ isThere }) => !isThere);
    if (left.length > 0) await database.write({ space }, () => removeRows(space, left), { frees: true });
    dropped += left.length;
  }
  return dropped;
}

function* removeRows(space: SpaceId, rows: readonly TagRow[]): Steps<void> {
  for (const { tag, record_id } of rows)
    yield* send('DELETE FROM record_tags WHERE space_id = $1 AND tag = $2 AND record_id = $3', space, tag, record_id);
}
