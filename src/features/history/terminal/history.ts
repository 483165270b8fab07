import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount, showTime } from '../../../cli/safe-text.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import type { UndoInput } from '../history.ts';
import { type DiffMemoriesInput, diffMemories } from '../verbs/diff-memories.ts';
import { summariseUndo, undoChanges } from '../verbs/undo-changes.ts';

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

const MARKS = { added: '+', changed: '~', removed: '-' };

export async function changes({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const [from = 'yesterday', to] = args.words;
  const input = { ...readFlags<DiffMemoriesInput>(diffMemories, args), from, to };
  const out = await (await client()).diffMemories(input);
  const { print, paint } = terminal;
  answer(out, () => {
    for (const { change, was, is, fields, id, at } of out.entries) {
      if (was !== null && was !== is) print(paint('red', `${is === null ? MARKS.removed : ' '} ${safeLine(was)}`));
      if (is !== null) print(paint('green', `${MARKS[change]} ${safeLine(is)}`));
      print(paint('dim', `  ${id} · ${showTime(at)}${fields.length === 0 ? '' : ` · ${fields.join(', ')}`}`));
    }
    const range = `between ${showTime(out.fromAt)} and ${showTime(out.toAt)}`;
    terminal.note(
      out.total === 0
        ? `Nothing changed ${range}.`
        : `${out.entries.length} of ${showCount(out.total, 'change')} ${range}`,
    );
  });
}
