import type { Caller } from '../../model/caller.ts';
import type {
  About,
  AboutInput,
  ListEntitiesInput,
  ListedEntities,
  MergedEntity,
  MergeEntitiesInput,
} from '../../model/entity.ts';
import type {
  Explored,
  ExploreInput,
  GraphRelation,
  InferInput,
  Inferred,
  ListedRelations,
  ListRelationsInput,
  Related,
  RelateInput,
  UnrelateInput,
} from '../../model/graph.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Search } from '../search/search.ts';
import { describeNode, describeRelation } from './describe-graph.ts';

/** What can be done with relations between records of any kind. */
export interface GraphVerbs {
  /** States a typed relation, says it anew, or confirms one that was inferred. */
  relate(caller: Caller, input: RelateInput): Promise<Related>;
  unrelate(caller: Caller, input: UnrelateInput): Promise<{ ended: GraphRelation[] }>;
  listRelations(caller: Caller, input: ListRelationsInput): Promise<ListedRelations>;
  exploreGraph(caller: Caller, input: ExploreInput): Promise<Explored>;
  /** Proposes relations, and keeps them as candidates. */
  inferRelations(caller: Caller, input: InferInput): Promise<Inferred>;
  /** Everything that is known about an entity or a topic, with its sources. */
  tellAbout(caller: Caller, input: AboutInput): Promise<About>;
  listEntities(caller: Caller, input: ListEntitiesInput): Promise<ListedEntities>;
  /** Says that several names mean the same. */
  mergeEntities(caller: Caller, input: MergeEntitiesInput): Promise<MergedEntity>;
}

export function createGraphVerbs(parts: EngineParts, search: Search): GraphVerbs {
  return {
    async relate(caller, input) {
      const { outcome, relation, from, to } = await (await import('./relate-records.ts')).relateRecords(
        parts,
        caller,
        input,
      );
      const ends = { from: describeNode(from, null), to: describeNode(to, null) };
      return { outcome, relation: describeRelation(relation), ...ends };
    },
    async unrelate(caller, input) {
      const { ended } = await (await import('./relate-records.ts')).unrelateRecords(parts, caller, input);
      return { ended: ended.map(describeRelation) };
    },
    listRelations: async (caller, input) => (await import('./list-relations.ts')).listRelations(parts, caller, input),
    inferRelations: async (caller, input) =>
      (await import('./infer-relations.ts')).inferRelations(parts, caller, input),
    tellAbout: async (caller, input) =>
      (await import('../entities/tell-about.ts')).tellAbout(parts, caller, { ...input, search }),
    listEntities: async (caller, input) =>
      (await import('../entities/list-entities.ts')).listEntities(parts, caller, input),
    mergeEntities: async (caller, input) =>
      (await import('../entities/list-entities.ts')).mergeEntities(parts, caller, input),
    async exploreGraph(caller, { asOf, ...input }) {
      const { exploreGraph } = await import('./explore-graph.ts');
      if (asOf === undefined) return exploreGraph(parts, caller, input);
      const { withPast } = await import('../history/search-as-of.ts');
      return withPast(parts, asOf, (past) => exploreGraph(past, caller, input));
    },
  };
}
