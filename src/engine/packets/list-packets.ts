import type { Caller } from '../../model/caller.ts';
import type { RecordFilter } from '../../model/filter.ts';
import type { PacketSummary } from '../../model/packet-record.ts';
import type { Page } from '../../model/page.ts';
import type { Hit, SearchQuery, SearchResult } from '../../model/search.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { packetKind } from './packet-kind.ts';
import { projectLabel, summarisePacket } from './packet-record.ts';

export interface ListPacketsInput {
  /** Words or a question: the best match first instead of the newest. */
  search?: string;
  tag?: string;
  project?: string;
  /** 50 where nothing is said, or nothing that is from 1 to 500. */
  limit?: number;
  cursor?: string;
}

export type Search = (caller: Caller, query: SearchQuery) => Promise<SearchResult>;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;
const MAX_HITS = 100;
/** A hit by meaning alone is listed from here on. */
const SURE = 0.5;

/** Those of the caller's space, the last received first. */
export async function listPackets(
  parts: EngineParts,
  caller: Caller,
  input: ListPacketsInput & { find: Search },
): Promise<Page<PacketSummary>> {
  const { space } = caller;
  authorize(caller, 'read', space);
  const { limit: wanted = DEFAULT_LIMIT, cursor } = input;
  const limit = Number.isInteger(wanted) && wanted >= 1 && wanted <= MAX_LIMIT ? wanted : DEFAULT_LIMIT;
  const project = projectLabel(input.project);
  const filter: RecordFilter = {
    kinds: [packetKind.name],
    tags: input.tag ? [input.tag] : undefined,
    project: project ?? undefined,
  };
  const query = input.search?.trim() ?? '';
  if (query === '') {
    const page = await parts.store.listRecords(space, filter, { limit, cursor: cursor || null });
    return { ...page, items: page.items.map(summarisePacket) };
  }
  const asked = { query, filter, limit: Math.min(limit, MAX_HITS), cursor: cursor || undefined };
  const result = await input.find({ ...caller, spaces: [space] }, asked);
  const hits = result.hits.filter(isMatch);
  const records = await parts.store.getRecords(
    space,
    hits.map(({ id }) => id),
  );
  return {
    items: records.filter(({ deletedAt }) => deletedAt === null).map(summarisePacket),
    total: result.total,
    cursor: result.cursor,
  };
}

function isMatch({ why, confidence }: Hit): boolean {
  return why.words.length > 0 || confidence >= SURE;
}
