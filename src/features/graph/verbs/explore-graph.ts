import {
  type Explored,
  type ExploreInput,
  GRAPH_ACTIONS,
  type ListedRelations,
  type ListRelationsInput,
  RELATION_STATES,
} from '../../../model/graph.ts';
import { describeGraphNode, describeGraphRelation } from '../../../verbs/describe-graph.ts';
import { unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust, sayOriginOnce } from '../../../verbs/describe-origin.ts';
import { choice, cursor, type Field, integer, label } from '../../../verbs/field.ts';
import { AS_OF, type AsOfInput, readAsOf } from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';

const minConfidence: Field = {
  type: 'number',
  min: 0,
  max: 1,
  about: 'Follow inferred relations from this confidence on. Default: 0.93, where at least nine of ten are right.',
};

export interface ExploreGraphInput extends Omit<ExploreInput, 'asOf'>, AsOfInput {}

export const exploreGraph = defineVerb<ExploreGraphInput, Explored>({
  needs: 'read',
  input: {
    action: choice(
      GRAPH_ACTIONS,
      'connected: what is around a memory; path: the shortest way to another; subgraph: everything around with all relations between; infer: pairs that relations of one type join indirectly; suggest: what else may be related. Default: connected.',
    ),
    ref: label('An id, a content hash or a key. Only infer can do without.'),
    to: label('Where a path ends.'),
    types: { type: 'names', about: 'Only relations of these types. infer takes one.' },
    direction: choice(['both', 'out', 'in'], 'Which way directed relations are followed. Default: both.'),
    max_hops: integer(1, 50, 'How far to go. Default: 2; path 10, infer 3.'),
    limit: integer(1, 500, 'Maximum number of memories or pairs. Default: 50.'),
    min_confidence: minConfidence,
    ...AS_OF,
  },
  async run(context, { asOf, ...input }) {
    return context.engine.exploreGraph(context.caller, { ...input, asOf: await readAsOf({ asOf }, context) });
  },
  rest: {
    at: 'GET /graph',
    summary: 'Walk the relations: what is around a memory, the way between two, what is missing',
    example: { path: '/graph?action=path&ref=06dwp2v4x1k8q3m5r7t9&to=06dwp2v4x1k8q3m5r7tb' },
    answers: { 200: 'Memories with excerpts, and the relations between them.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_graph',
    title: 'Walk relations',
    text: 'connected: around a memory; path: shortest way to another; subgraph: with all relations between; infer: indirect pairs of one type; suggest: what may be related. Returns excerpts.',
    shown: {
      action: '',
      ref: 'Id, content hash or key',
      to: 'Of a path',
      types: '',
      direction: '',
      max_hops: '',
      limit: '',
    },
    output: { memories: ['object'], relations: ['object'], path: ['string'], pairs: ['object'] },
    answer(out, { context }) {
      const { shared, items } = sayOriginOnce(out.nodes.map((node) => describeGraphNode(node, context)));
      return {
        message: summarise(out),
        path: out.path ?? undefined,
        ...shared,
        memories: items,
        relations: unlessEmpty(out.relations.map(describeGraphRelation)),
        pairs: unlessEmpty(
          out.pairs.map((pair) => ({
            ...pair,
            confidence: pair.confidence ?? undefined,
            distance: pair.distance ?? undefined,
          })),
        ),
        notices: unlessEmpty(noticesOfTrust(out.nodes)),
      };
    },
  },
  command: {
    name: 'graph',
    summary: 'Walk the relations between memories',
    usage: '[connected] REF | path REF REF | subgraph REF | infer [REF] | suggest REF',
    about:
      'connected, which is meant where only a memory is named, shows what is around a memory, path the shortest way between two, subgraph everything around with all relations between, infer pairs that relations of one type join indirectly, suggest what else may be related.',
    flags: [['types', 't'], 'direction', 'max_hops', ['limit', 'n'], 'min_confidence', 'as_of'],
    maxWords: 3,
    examples: ['ltm graph release-day', 'ltm graph path 01k9x2m4q8 01k9x2m4q9 -t causes', 'ltm graph infer -t causes'],
  },
});

function summarise({ action, nodes, path, pairs, more }: Explored): string {
  const rest = more ? ' There is more: raise limit.' : '';
  if (action === 'path') return path === null ? 'Nothing joins the two.' : `${path.length - 1} relations lead there.`;
  if (action === 'infer' || action === 'suggest') return `${pairs.length} pairs.${rest}`;
  return `${nodes.length} memories.${rest}`;
}

export const listRelations = defineVerb<ListRelationsInput, ListedRelations>({
  needs: 'read',
  input: {
    ref: label('Only those of this memory: an id, a content hash or a key.'),
    type: label('Only this type.'),
    status: choice(RELATION_STATES, 'Default: all that have not ended.'),
    limit: integer(1, 1000, 'Maximum number of relations. Default: 50.'),
    cursor,
  },
  run: ({ engine, caller }, input) => engine.listRelations(caller, input),
  rest: {
    at: 'GET /relations',
    summary: 'List relations, of one memory or of all',
    example: { path: '/relations?type=fixes' },
    answers: { 200: 'One page, with the memories at their ends.' },
    isPaged: true,
  },
  command: {
    name: 'relations',
    summary: 'List relations, of one memory or of all',
    usage: '[REF]',
    flags: [['type', 't'], 'status', ['limit', 'n'], 'cursor'],
    maxWords: 1,
    examples: ['ltm relations', 'ltm relations release-day', 'ltm relations --status inferred'],
  },
});
