import type { GraphRelation, Related, RelateInput, UnrelateInput } from '../../../model/graph.ts';
import { RELATION_TYPES } from '../../../model/relation-types.ts';
import { describeGraphNode, describeGraphRelation } from '../../../verbs/describe-graph.ts';
import { unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust } from '../../../verbs/describe-origin.ts';
import { type Field, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';

const KNOWN = Object.keys(RELATION_TYPES).join(', ');
const from = label('Where it begins: an id, a content hash or a key.', { isRequired: true });
const to = label('Where it ends.', { isRequired: true });
const confidence: Field = { type: 'number', min: 0, max: 1, about: 'How sure it is, from 0 to 1. Default: 1.' };

export const relateMemories = defineVerb<RelateInput, Related>({
  needs: 'write',
  input: {
    from,
    to,
    type: label(`${KNOWN}, or a name of your own. Default: related.`),
    confidence,
    note: text('Why they are related.', { min: 1, max: 1000 }),
    agent: label('The agent that states it.'),
    session: label('The session in which it was stated.'),
  },
  run: ({ engine, caller }, input) => engine.relate(caller, input),
  rest: {
    at: 'POST /relations',
    summary: 'Relate two memories, say it anew, or confirm a relation that was inferred',
    example: {
      body: { from: '06dwp2v4x1k8q3m5r7t9', to: '06dwp2v4x1k8q3m5r7tb', type: 'fixes', note: 'see the release notes' },
    },
    answers: { 200: 'The relation, and both ends.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_relate',
    title: 'Relate memories',
    text: `State that one memory has to do with another. Types: ${KNOWN}, or your own. related and contradicts go both ways; several may join one pair.`,
    shown: { from: 'Id, content hash or key', to: '', type: '', confidence: '', note: 'Why' },
    idempotent: true,
    output: { outcome: 'string', relation: 'object' },
    answer: (out, { context }) => ({
      message: `${out.from.title} – ${out.relation.type} – ${out.to.title}: ${out.outcome}.`,
      outcome: out.outcome,
      relation: describeGraphRelation(out.relation),
      memories: [out.from, out.to].map((node) => describeGraphNode(node, context)),
      notices: unlessEmpty(noticesOfTrust([out.from, out.to])),
    }),
  },
  command: {
    name: 'relate',
    summary: 'State how two memories are related',
    usage: 'FROM TO',
    about: `Several relations may join one pair. Types: ${KNOWN}, or a name of your own. related and contradicts go both ways, all others from FROM to TO. Stating a relation that was inferred confirms it.`,
    flags: [['type', 't'], 'confidence', 'note', 'agent', 'session'],
    maxWords: 2,
    examples: [
      'ltm relate 01k9x2m4q8b7c6d5e4f3 01k9x2m4q8b7c6d5e4f4 --type fixes',
      'ltm relate new-port old-port -t supersedes',
    ],
  },
});

export const unrelateMemories = defineVerb<UnrelateInput, { ended: GraphRelation[] }>({
  needs: 'write',
  input: { from, to, type: label('Only this type. Default: all that join the two, in either direction.') },
  run: ({ engine, caller }, input) => engine.unrelate(caller, input),
  rest: {
    at: 'POST /relations/end',
    summary: 'End relations between two memories; they stay readable as they were',
    example: { body: { from: '06dwp2v4x1k8q3m5r7t9', to: '06dwp2v4x1k8q3m5r7tb', type: 'fixes' } },
    answers: { 200: 'The relations that have ended.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_unrelate',
    title: 'End relations',
    text: 'End relations between two memories, or reject an inferred one. memory_relate states them again.',
    shown: { from: 'Id, content hash or key', to: '', type: 'Default: all between the two' },
    destructive: true,
    idempotent: true,
    output: { count: 'number', relations: ['object'] },
    answer: ({ ended }) => ({
      message: ended.length === 0 ? 'There was no such relation.' : `Ended ${ended.length}.`,
      count: ended.length,
      relations: ended.map(describeGraphRelation),
    }),
  },
  command: {
    name: 'unrelate',
    summary: 'End relations between two memories',
    usage: 'FROM TO',
    flags: [['type', 't']],
    maxWords: 2,
    examples: ['ltm unrelate 01k9x2m4q8b7c6d5e4f3 01k9x2m4q8b7c6d5e4f4 --type fixes'],
  },
});
