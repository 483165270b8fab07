import type { InferInput, Inferred } from '../../../model/graph.ts';
import { type Field, flag, integer, label } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';

const minConfidence: Field = { type: 'number', min: 0, max: 1, about: 'From this confidence on. Default: 0.5.' };

/** No tool: an agent that wants to know what is related asks memory_graph. */
export const inferRelations = defineVerb<InferInput, Inferred>({
  needs: 'write',
  input: {
    ref: label('Only for this memory: an id, a content hash or a key.'),
    records: integer(1, 100_000, 'How many of the newest memories to look at. Default: 1000.'),
    min_confidence: minConfidence,
    limit: integer(1, 100_000, 'Maximum number of relations. Default: 100.'),
    dry_run: flag('Only show what would be inferred.'),
  },
  run: ({ engine, caller }, input) => engine.inferRelations(caller, input),
  rest: {
    at: 'POST /relations/infer',
    summary: 'Propose relations from nearest neighbours and shared entities; they are candidates until confirmed',
    example: { body: { dry_run: true } },
    answers: { 200: 'The pairs, the surest first, each with its reason.' },
  },
  command: {
    name: 'infer',
    summary: 'Propose relations between memories, with reasons',
    usage: '[REF]',
    about:
      'Looks at the nearest neighbours of memories and at what they mention alike, and keeps what it finds as inferred relations. Below a confidence of 0.93 they are left out of walks until you confirm them with `ltm relate`; `ltm unrelate` rejects them for good. Nothing is proposed twice. `ltm relations --status inferred` lists them.',
    flags: ['records', 'min_confidence', ['limit', 'n'], 'dry_run'],
    maxWords: 1,
    examples: ['ltm infer --dry-run', 'ltm infer release-day', 'ltm relations --status inferred'],
  },
});
