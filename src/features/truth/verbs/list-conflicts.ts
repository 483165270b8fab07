import { describeGraphNode } from '../../../verbs/describe-graph.ts';
import { unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust, type Reader } from '../../../verbs/describe-origin.ts';
import { flag, integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Conflict, ListConflictsInput, ListedConflicts, Resolved, ResolveInput } from '../conflict.ts';

export const listConflicts = defineVerb<ListConflictsInput, ListedConflicts>({
  needs: 'read',
  input: {
    ref: label('Only those of this memory: an id, a content hash or a key.'),
    project: label('Only this project.'),
    min_confidence: { type: 'number', min: 0, max: 1, about: 'From this confidence on. Default: 0.8.' },
    limit: integer(1, 200, 'Maximum number of pairs. Default: 20.'),
  },
  run: ({ engine, caller }, input) => engine.listConflicts(caller, input),
  rest: {
    at: 'GET /conflicts',
    summary: 'Pairs of memories that contradict each other',
    example: { path: '/conflicts?limit=5' },
    answers: { 200: 'The surest first.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_conflicts',
    title: 'Find contradictions',
    text: 'Pairs of memories that cannot both hold: same subject, another value, or a denial. memory_resolve decides.',
    shown: { ref: 'Only of this memory', project: '', limit: '' },
    output: { total: 'number', conflicts: ['object'] },
    answer: ({ conflicts, total }, { context }) => ({
      message: total === 0 ? 'No contradictions found.' : `${total} pairs contradict each other.`,
      total,
      conflicts: conflicts.map((conflict) => describeConflict(conflict, context)),
      notices: unlessEmpty(noticesOfTrust(conflicts.flatMap(({ newer, older }) => [newer, older]))),
    }),
  },
  command: {
    name: 'conflicts',
    summary: 'Show memories that contradict each other',
    usage: '[REF]',
    about:
      'Pairs of current memories that say different values of the same subject, or of which one denies what the other says, the surest first. `ltm resolve WINNER LOSER` decides; --keep-both says that both hold.',
    flags: [['project', 'p'], 'min_confidence', ['limit', 'n']],
    maxWords: 1,
    examples: ['ltm conflicts', 'ltm resolve 01k9x2m4q8b7c6d5e4f3 01k9x2m4q8b7c6d5e4f4'],
  },
});

function describeConflict({ newer, older, newerSays, olderSays, confidence, reason }: Conflict, reader: Reader) {
  const describe = (node: Conflict['newer'], says: string): Record<string, unknown> => {
    const { excerpt: _, whole: __, ...described } = describeGraphNode(node, reader);
    return { ...described, says };
  };
  return { reason, confidence, newer: describe(newer, newerSays), older: describe(older, olderSays) };
}

export const resolveConflict = defineVerb<ResolveInput, Resolved>({
  needs: 'write',
  input: {
    winner: label('What holds: an id, a content hash or a key.', { isRequired: true }),
    loser: label('What does not hold. It is hidden behind the winner and stays readable.', { isRequired: true }),
    keep_both: flag('Both hold: do not report them again.'),
    reason: text('Why.', { min: 1, max: 1000 }),
  },
  run: ({ engine, caller }, input) => engine.resolveConflict(caller, input),
  rest: {
    at: 'POST /conflicts/resolve',
    summary: 'Decide between two memories that contradict each other',
    example: { body: { winner: '06dwp2v4x1k8q3m5r7t9', loser: '06dwp2v4x1k8q3m5r7tb' } },
    answers: { 200: 'Both memories.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_resolve',
    title: 'Resolve a contradiction',
    text: 'Decide which of two memories holds; the other is superseded and stays readable. keep_both: both hold. memory_undo takes it back.',
    shown: { winner: 'Id, content hash or key', loser: '', keep_both: '', reason: '' },
    destructive: true,
    output: { outcome: 'string' },
    answer: ({ outcome, winner, loser }) => ({ message: summariseResolved({ outcome, winner, loser }), outcome }),
  },
  command: {
    name: 'resolve',
    summary: 'Decide between two memories that contradict each other',
    usage: 'WINNER LOSER',
    about:
      'The loser is superseded by the winner: searches show it only with --include-superseded. `ltm undo` takes it back.',
    flags: ['keep_both', 'reason'],
    maxWords: 2,
    examples: ['ltm resolve new-port old-port', 'ltm resolve a-memory another --keep-both'],
  },
});

export function summariseResolved({ outcome, winner, loser }: Resolved): string {
  return outcome === 'kept_both'
    ? 'Both are kept, and not reported again.'
    : `${loser.id} is superseded by ${winner.id}.`;
}
