import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount, showTime } from '../../../cli/safe-text.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { showLabels } from '../../memories/terminal/show-memory.ts';
import type { ListConflictsInput } from '../../truth/conflict.ts';
import { listConflicts, resolveConflict, summariseResolved } from '../../truth/verbs/list-conflicts.ts';
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

export async function conflicts({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const input = { ...readFlags<ListConflictsInput>(listConflicts, args), ref: args.words[0] };
  const out = await (await client()).listConflicts(input);
  const { print, paint } = terminal;
  answer(out, () => {
    for (const { newer, older, newerSays, olderSays, reason, confidence } of out.conflicts) {
      print(`${paint('bold', safeLine(reason))} ${paint('dim', `${Math.round(confidence * 100)} %`)}`);
      for (const [node, says] of [
        [newer, newerSays],
        [older, olderSays],
      ] as const) {
        print(`  ${safeLine(says)}`);
        print(`    ${showLabels(node, terminal, Date.now())}`);
      }
    }
    terminal.note(
      out.total === 0 ? 'No contradictions found.' : `${out.conflicts.length} of ${showCount(out.total, 'pair')}`,
    );
  });
}

export async function resolve({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const [winner, loser] = args.words;
  if (winner === undefined || loser === undefined)
    throw new UsageError(
      '`ltm resolve` needs the memory that holds and the one that does not.',
      '`ltm conflicts` shows pairs.',
    );
  const out = await (await client()).resolveConflict({ ...readFlags<object>(resolveConflict, args), winner, loser });
  answer(out, () => terminal.note(summariseResolved(out)));
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
