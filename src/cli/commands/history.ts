import type { UndoInput } from '../../model/history.ts';
import { summariseUndo, undoChanges } from '../../verbs/history/undo-changes.ts';
import type { CommandContext } from '../command.ts';
import { EXIT, UsageError } from '../report-error.ts';
import { safeLine } from '../safe-text.ts';
import { readFlags } from '../verb-command.ts';

export async function undo({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const [first, last] = args.words.map(readNumber);
  const out = await (await client()).undoChanges({ ...readFlags<UndoInput>(undoChanges, args), first, last });
  answer(out, () => {
    for (const { what, title, id, relation } of out.changes)
      terminal.print(
        `${what.padEnd(10)} ${safeLine(title)}${relation === null ? terminal.paint('dim', `  ${id}`) : ''}`,
      );
    for (const { id, reason } of out.left) terminal.warn(`${id}: ${safeLine(reason)}`);
    terminal.note(summariseUndo(out));
  });
  return out.left.length === 0 ? EXIT.ok : EXIT.incomplete;
}

function readNumber(word: string): number {
  if (/^\d{1,15}$/.test(word)) return Number(word);
  throw new UsageError(`"${word}" is no number of a change.`, '`ltm help undo` shows examples.');
}
