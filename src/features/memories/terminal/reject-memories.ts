import type { CommandContext } from '../../../cli/command.ts';
import { needRefs } from '../../../cli/need-refs.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { dayOf } from '../../../model/instant.ts';
import type { Rejection } from '../../../model/rejection.ts';
import { listRejections, rejectMemories, summariseRejected } from '../verbs/reject-memories.ts';
import { showMemoryLine } from './show-memory.ts';

export async function reject({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const ids = needRefs(args, 'reject');
  const outcome = await (await client()).rejectMemories({ ...readFlags<{ note?: string }>(rejectMemories, args), ids });
  answer(outcome, () => {
    for (const memory of outcome.memories) showMemoryLine({ ...memory, deletedAt: null }, terminal, Date.now());
    terminal.print(summariseRejected(outcome));
    for (const { id } of outcome.rejections) terminal.note(`Undo: ltm rejected lift ${id} --restore`);
  });
  return outcome.missing.length > 0 ? EXIT.notFound : EXIT.ok;
}

/** `ltm rejected [list | lift ID…]`. */
export async function rejected(context: CommandContext): Promise<number> {
  const [what = 'list', ...ids] = context.args.words;
  if (what === 'lift') return lift(context, ids);
  if (what !== 'list' || ids.length > 0)
    throw new UsageError('Say `ltm rejected`, `ltm rejected list` or `ltm rejected lift ID`.');
  const { args, terminal, answer } = context;
  const found = await (await context.client()).listRejections(readFlags(listRejections, args));
  answer(found, () => {
    for (const one of found.rejections) showRejection(one, terminal);
    terminal.note(found.total === 0 ? 'Nothing is kept out.' : `${showCount(found.total, 'text')} kept out.`);
  });
  return EXIT.ok;
}

function showRejection({ id, how, at, by, why, from, text, record }: Rejection, { print, paint }: Terminal): void {
  const about = [dayOf(at), how.replace('_', ' '), `by ${by}`, ...(from === null ? [] : [`from ${from}`])];
  print(`${paint('cyan', id)}  ${safeLine(about.join('  '))}`);
  print(`  ${safeLine(text ?? (record === null ? '(no words kept)' : `(no words kept; it was ${record})`))}`);
  if (why !== null) print(`  ${safeLine(`why: ${why}`)}`);
}

async function lift({ args, terminal, answer, client }: CommandContext, ids: string[]): Promise<number> {
  if (ids.length === 0) throw new UsageError('`ltm rejected lift` needs ids.', '`ltm rejected` lists them.');
  const outcome = await (await client()).liftRejections({ ids, restore: args.isOn('restore') });
  answer(outcome, () => {
    for (const one of outcome.lifted) showRejection(one, terminal);
    terminal.note(`Lifted ${outcome.lifted.length}; restored ${outcome.restored.length}.`);
    for (const id of outcome.missing) terminal.warn(`There is no rejection ${safeLine(id)}.`);
  });
  return outcome.missing.length > 0 ? EXIT.notFound : EXIT.ok;
}
