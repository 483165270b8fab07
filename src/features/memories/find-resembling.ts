import { passOver } from '../../model/damage.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import type { RecordId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { findSimilar, type SimilarRecord, type SimilarRequest } from '../../search/find-similar.ts';
import { firstLine } from '../../search/text/make-snippet.ts';
import type { Resemblance } from './memory.ts';
import { memoryKind } from './memory-kind.ts';
import type { NewMemory } from './new-memory.ts';
import type { Planning } from './plan-store.ts';

const HOUR = 3_600_000;
const MAX_NAMED = 3;
/** Asked for more than are named, since some may be of another kind, deleted or superseded. */
const MAX_ASKED = 20;
const TITLE_CHARS = 80;

export interface Resembling {
  record: StoredRecord;
  similarity: number;
}

/**
 * Memories within the operator's window that say nearly the same as the incoming one, the nearest first. They are reported whatever project they belong to; a
 * policy that changes or refuses acts within the project.
 */
export async function findResembling(planning: Planning): Promise<Resembling[]> {
  const [found] = await findResemblingOfEach([planning]);
  return found!;
}

/** The same for many incoming memories of one space. */
export async function findResemblingOfEach(plannings: readonly Planning[]): Promise<Resembling[][]> {
  const [first] = plannings;
  if (first === undefined) return [];
  const { parts, space } = first;
  const found = await findSimilar(parts, parts.indexes, await Promise.all(plannings.map(describe)));
  const ids = [...new Set(found.flat().map(({ id }) => id))];
  const records = new Map(
    (ids.length === 0 ? [] : await parts.store.getRecords(space, ids, passOver)).map((record) => [record.id, record]),
  );
  return plannings.map(({ incoming }, i) => nameResembling(found[i]!, records, incoming));
}

async function describe({ parts, space, now, incoming, make }: Planning): Promise<SimilarRequest> {
  const { duplicateThreshold, duplicateWindowHours } = parts.settings;
  const { content } = incoming.content;
  const [text] = await make([incoming.content]);
  return {
    space,
    text: content,
    vectors: text?.exact ?? null,
    filter: {
      kindCodes: [memoryKind.code],
      validAt: now,
      after: duplicateWindowHours > 0 ? now - duplicateWindowHours * HOUR : undefined,
    },
    minSimilarity: duplicateThreshold,
    limit: MAX_ASKED,
    except: incoming.id,
  };
}

function nameResembling(
  found: readonly SimilarRecord[],
  records: ReadonlyMap<RecordId, StoredRecord>,
  { policy, content: { project } }: NewMemory,
): Resembling[] {
  return found
    .flatMap(({ id, similarity }) => {
      const record = records.get(id);
      const isWithin = policy === 'report' || record?.project === project;
      return record !== undefined && isWithin && isComparable(record) ? [{ record, similarity }] : [];
    })
    .slice(0, MAX_NAMED);
}

export function resemblance({ record, similarity }: Resembling): Resemblance {
  const { id, content, trust, source } = record;
  const title = cleanText(firstLine(content, TITLE_CHARS));
  return { id, similarity: Math.round(similarity * 1000) / 1000, title, trust, source };
}

function isComparable({ kind, deletedAt, supersededBy }: StoredRecord): boolean {
  return kind === memoryKind.name && deletedAt === null && supersededBy === null;
}
