import { hostname } from 'node:os';
import type { ListFilter } from '../../model/filter.ts';
import { toIso } from '../../model/instant.ts';
import { VERSION } from '../../model/version.ts';
import type { VerbContext } from '../../verbs/verb.ts';
import type { Memory } from '../memories/memory.ts';

/** Both files that mcp-memory-service writes: of its script, and of its dashboard. */
export const SERVICE_SHAPES = ['mcp-memory-service', 'mcp-memory-service-dashboard'] as const;
export type ServiceShape = (typeof SERVICE_SHAPES)[number];

export interface ServiceExport {
  shape: ServiceShape;
  filter: ListFilter;
  withVectors: boolean;
}

const PAGE = 500;
/** So many texts are embedded at once. */
const BATCH = 50;

/** One JSON document, a line for each memory. */
export async function* writeServiceExport(
  context: VerbContext,
  { shape, filter, withVectors }: ServiceExport,
): AsyncGenerator<string> {
  const { engine, caller, now } = context;
  const { total } = await engine.listMemories(caller, { filter, page: { limit: 1 } });
  const isScript = shape === 'mcp-memory-service';
  const head = isScript
    ? { export_metadata: describeExport({ total, filter, withVectors, now }) }
    : { export_date: toIso(now), total_memories: total, exported_memories: total };
  yield `${JSON.stringify(head).slice(0, -1)},"memories":[`;
  let isFirst = true;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await engine.listMemories(caller, {
      filter,
      page: { limit: PAGE, ...(cursor !== undefined && { cursor }) },
    });
    const vectors = withVectors && isScript ? await embed(context, page.items) : [];
    for (const [at, memory] of page.items.entries()) {
      const shown = { ...describeMemory(memory, isScript), ...(vectors[at] && { embedding: [...vectors[at]] }) };
      yield `${isFirst ? '' : ','}${JSON.stringify(shown)}`;
      isFirst = false;
    }
    cursor = page.cursor;
  }
  yield ']}';
}

async function embed({ engine, caller }: VerbContext, memories: readonly Memory[]): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < memories.length; at += BATCH) {
    const texts = memories.slice(at, at + BATCH).map(({ content }) => content);
    vectors.push(...(await engine.embedTexts(caller, texts)).vectors);
  }
  return vectors;
}

function describeExport({
  total,
  filter,
  withVectors,
  now,
}: Pick<ServiceExport, 'filter' | 'withVectors'> & { total: number; now: number }) {
  return {
    source_machine: hostname(),
    export_timestamp: toIso(now),
    total_memories: total,
    platform: process.platform,
    include_embeddings: withVectors,
    filter_tags: filter.tags ?? null,
    exporter_version: `ltm ${VERSION}`,
  };
}

/** Seconds, as the service counts. Relations, versions and what is deleted are in neither file. */
function describeMemory(memory: Memory, isScript: boolean): Record<string, unknown> {
  const { content, contentHash, tags, type, metadata, conversation, quality, createdAt, updatedAt } = memory;
  const more = { ...(conversation !== null && { conversation_id: conversation }), quality_score: quality };
  return {
    content,
    content_hash: contentHash,
    tags,
    created_at: createdAt / 1000,
    updated_at: updatedAt / 1000,
    memory_type: type,
    metadata: { ...metadata, ...more },
    ...(isScript
      ? { export_source: hostname() }
      : { created_at_iso: toIso(createdAt), updated_at_iso: toIso(updatedAt) }),
  };
}
