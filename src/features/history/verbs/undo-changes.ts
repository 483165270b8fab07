import { unlessEmpty } from '../../../verbs/describe-memory.ts';
import { flag, integer, label } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { UndoInput, UndoOutcome } from '../history.ts';

export const undoChanges = defineVerb<UndoInput, UndoOutcome>({
  needs: 'write',
  input: {
    first: integer(1, Number.MAX_SAFE_INTEGER, 'The number of the change in the feed, or of the first of several.'),
    last: integer(1, Number.MAX_SAFE_INTEGER, 'The number of the last one.'),
    batch: label('Everything that was written under this name, such as a consolidation run.'),
    dry_run: flag('Only show what would be undone.'),
  },
  run: ({ engine, caller }, input) => engine.undoChanges(caller, input),
  rest: {
    at: 'POST /changes/undo',
    summary: 'Undo changes by their numbers in the feed, a batch, or your last commit',
    example: { body: { first: 120, last: 124, dry_run: true } },
    answers: { 200: 'What was undone, and what was left as it is.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_undo',
    title: 'Undo changes',
    text: 'Undo your last change, changes by number, or a batch. What others changed since is left alone and named.',
    shown: { first: 'Number in the change feed', last: '', batch: '', dry_run: 'Only show' },
    destructive: true,
    output: { outcome: 'string', changes: ['object'], left: ['object'] },
    answer: (out) => ({
      message: summariseUndo(out),
      outcome: out.outcome,
      changes: out.changes.map(({ relation, kind, ...change }) => ({
        ...change,
        kind: kind ?? undefined,
        relation: relation ?? undefined,
      })),
      left: unlessEmpty(out.left),
    }),
  },
  command: {
    name: 'undo',
    summary: 'Undo changes: the last one, some by number, or a batch',
    usage: '[FIRST [LAST]]',
    about:
      'Without a number, undoes your last change. Records go back to what they were; what was new is deleted and can be restored; relations come back or end. What was changed again since is left alone and named. Undoing is a change too, and can be undone. The feed keeps the newest changes (`GET /changes` lists them); older states are in `ltm history`.',
    flags: ['batch', 'dry_run'],
    maxWords: 2,
    examples: ['ltm undo --dry-run', 'ltm undo 120 124', 'ltm undo --batch 06dwp2v4x1k8q3m5r7t9'],
  },
});

export function summariseUndo({ outcome, changes, left }: UndoOutcome): string {
  const rest = left.length === 0 ? '' : ` ${left.length} left as they are.`;
  if (outcome === 'would_undo') return `Would undo ${changes.length}; nothing was changed.${rest}`;
  return outcome === 'nothing' ? `There was nothing to undo.${rest}` : `Undone: ${changes.length}.${rest}`;
}
