import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { showLabels } from '../../memories/terminal/show-memory.ts';
import type { ListConflictsInput } from '../conflict.ts';
import { listConflicts, resolveConflict, summariseResolved } from '../verbs/list-conflicts.ts';

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
