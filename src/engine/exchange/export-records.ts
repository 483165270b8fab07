import { createHash } from 'node:crypto';
import type { Caller } from '../../model/caller.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { RecordId } from '../../model/ids.ts';
import { toIso } from '../../model/instant.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Relation } from '../../model/relation.ts';
import { VERSION } from '../../model/version.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportCounts, exportedRecord } from './export-lines.ts';

export interface ExportOptions {
  includeDeleted?: boolean;
  includeVersions?: boolean;
  filter?: ListFilter;
}

const PAGE = 200;

/**
 * The caller's own space as lines of JSON, without line ends: a header, records (newest first, each followed by its earlier versions),
 * relations between them, and an end line with counts and a checksum, so that a file that was cut is noticed.
 * Deleted records and versions are part of it unless the options leave them out.
 */
export async function* exportRecords(
  parts: EngineParts,
  caller: Caller,
  options: ExportOptions,
): AsyncGenerator<string> {
  authorize(caller, 'read', caller.space);
  const checksum = createHash('sha256');
  const counts: ExportCounts = { records: 0, versions: 0, relations: 0 };
  const line = (value: object) => {
    const text = JSON.stringify(value);
    checksum.update(`${text}\n`);
    return text;
  };
  yield line({
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    exportedAt: toIso(parts.clock.now()),
    program: `ltm ${VERSION}`,
    space: caller.space,
  });
  const exported = new Set<RecordId>();
  const relations: Relation[] = [];
  for await (const page of pagesOf(parts, caller, options)) {
    for (const record of page) {
      exported.add(record.id);
      counts.records++;
      yield line({ record: exportedRecord(record) });
      if (options.includeVersions === false) continue;
      for (const { record: earlier, replacedAt, reason } of await parts.store.listVersions(caller.space, record.id)) {
        counts.versions++;
        yield line({ version: { record: exportedRecord(earlier), replacedAt, reason } });
      }
    }
    const ids = new Set(page.map((record) => record.id));
    relations.push(
      ...(await parts.store.listRelations(caller.space, [...ids])).filter((relation) => ids.has(relation.from)),
    );
  }
  for (const relation of relations.filter(({ from, to }) => exported.has(from) && exported.has(to)).sort(byEnds)) {
    counts.relations++;
    yield line({ relation });
  }
  yield JSON.stringify({ end: { ...counts, sha256: checksum.digest('hex') } });
}

async function* pagesOf(
  { store }: EngineParts,
  caller: Caller,
  options: ExportOptions,
): AsyncGenerator<StoredRecord[]> {
  const filter: ListFilter = {
    includeSuperseded: true,
    ...options.filter,
    deleted: options.includeDeleted === false ? 'exclude' : 'include',
  };
  let cursor: string | null = null;
  do {
    const page: Page<StoredRecord> = await store.listRecords(caller.space, filter, { limit: PAGE, cursor });
    yield page.items;
    cursor = page.cursor;
  } while (cursor !== null);
}

function byEnds(a: Relation, b: Relation): number {
  return compare(a.from, b.from) || compare(a.to, b.to) || compare(a.type, b.type);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
