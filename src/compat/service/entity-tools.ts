import type { Entity } from '../../features/graph/entity.ts';
import type { Memory } from '../../features/memories/memory.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import { describeOrigin, noticesOfTrust } from '../../verbs/describe-origin.ts';
import { choice, flag, integer, label, text } from '../../verbs/field.ts';
import { defineServiceTool, documentAnswer, type Tool, type ToolContext } from './define-service-tool.ts';
import { type FoundMemory, searchInService } from './search-in-service.ts';
import { projectOfStore } from './service-arguments.ts';
import { toServiceMemory } from './service-memory.ts';

/** So many of the best memories are asked what they mention. */
const LOOKED_AT = 30;
const ENTITIES_OF_ONE = 50;
const MOST_SOURCES = 100;
const SCORING = choice(['composite']);

interface ExploreArguments {
  query: string;
  max_entities?: number;
  chunks_per_entity?: number;
  tags?: string[];
  min_score?: number;
  store?: string;
}

interface Mentioned {
  entity: Entity & { mentions: number };
  found: FoundMemory[];
}

const memoryExplore = defineServiceTool<ExploreArguments>({
  name: 'memory_explore',
  title: 'Explore entities',
  text: 'Which people, files, errors and the like the memories about a topic mention, each with what they say.',
  action: 'read',
  listed: {
    query: text(undefined, { min: 1, max: 10_000, isRequired: true }),
    max_entities: integer(1, 100),
    chunks_per_entity: integer(1, 50),
    tags: { type: 'tags' },
    min_score: { type: 'number', min: 0, max: 1 },
    scoring: SCORING,
    store: label(),
  },
  defaults: { max_entities: 10, chunks_per_entity: 3, min_score: 0 },
  output: { entities: ['object'], count: 'number' },
  async run(context, args) {
    const { query, max_entities: most = 10, chunks_per_entity: each = 3, min_score: least = 0 } = args;
    const { found } = await searchInService(context, {
      query,
      tags: args.tags,
      limit: LOOKED_AT,
      project: projectOfStore(args.store),
    });
    const good = found.filter(({ hit }) => hit.confidence >= least);
    const mentioned = [...(await findMentioned(context, good)).values()]
      .sort((a, b) => scoreOf(b) - scoreOf(a) || b.found.length - a.found.length)
      .slice(0, most);
    const shown: Memory[] = [];
    const entities = mentioned.map((one) => {
      const chunks = one.found.slice(0, each);
      shown.push(...chunks.map(({ memory }) => memory));
      return {
        ...describeEntity(one.entity),
        score: Math.round(scoreOf(one) * 10_000) / 10_000,
        chunks: chunks.map(({ memory, hit }) => ({
          ...toServiceMemory(memory, context),
          score: Math.round(hit.confidence * 10_000) / 10_000,
        })),
      };
    });
    return documentAnswer({ entities, count: entities.length }, { memories: shown });
  },
});

async function findMentioned(
  { engine, caller }: ToolContext,
  found: readonly FoundMemory[],
): Promise<Map<string, Mentioned>> {
  const mentioned = new Map<string, Mentioned>();
  for (const one of found) {
    const { entities } = await engine.listEntities(caller, { ref: one.memory.id, limit: ENTITIES_OF_ONE });
    for (const entity of entities) {
      const known = mentioned.get(entity.key) ?? { entity, found: [] };
      known.found.push(one);
      mentioned.set(entity.key, known);
    }
  }
  return mentioned;
}

/** Of its best memory: more of them say no more. */
function scoreOf({ found }: Mentioned): number {
  return Math.max(...found.map(({ hit }) => hit.confidence));
}

function describeEntity({ key, name, kind, mentions }: Entity & { mentions: number }): Record<string, unknown> {
  return { entity_id: key, name: cleanText(name), type: kind, mentions };
}

interface DetailArguments {
  entity_id: string;
  limit?: number;
  include_related?: boolean;
  store?: string;
}

const memoryDetail = defineServiceTool<DetailArguments>({
  name: 'memory_detail',
  title: 'What is known about an entity',
  text: 'What memories say about a person, file, error or the like, and what they mention together with it.',
  action: 'read',
  listed: {
    entity_id: label('person:ada, @ada, src/login.ts …', { isRequired: true }),
    limit: integer(1, 200),
    include_related: flag(),
    max_hops: integer(1, 4),
    scoring: SCORING,
    store: label(),
  },
  defaults: { limit: 50, include_related: true, max_hops: 1 },
  output: { success: 'boolean', entity_id: 'string', chunks: ['object'], related_entities: ['object'] },
  async run(context, { entity_id: name, limit = 50, include_related: withRelated = true, store }) {
    const { engine, caller } = context;
    const about = await engine.tellAbout(caller, { name, limit: Math.min(limit, MOST_SOURCES) });
    if (about.entity === null)
      return documentAnswer({
        success: false,
        error: `No memory mentions ${cleanText(name)}`,
        entity_id: name,
        chunks: [],
      });
    const project = projectOfStore(store);
    const sources = about.sources.filter(
      (source) => source.by === 'mention' && (project === undefined || source.project === project),
    );
    const chunks = sources.map((source) => ({
      content_hash: source.contentHash,
      content: cleanText(source.says),
      memory_type: source.type,
      tags: source.tags,
      ...describeOrigin(source, context),
    }));
    const related = about.related.map(({ together, ...entity }) => describeEntity({ ...entity, mentions: together }));
    return documentAnswer(
      {
        success: true,
        entity_id: about.entity.key,
        name: cleanText(about.entity.name),
        mentions: about.total,
        chunks,
        ...(withRelated && { related_entities: related }),
      },
      { notices: noticesOfTrust(sources) },
    );
  },
});

export const ENTITY_TOOLS: readonly Tool[] = [memoryExplore, memoryDetail];
