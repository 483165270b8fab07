import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import type { Actions } from '../../feature.ts';
import { rotateKey, showConflicts, showMemoryStatus, syncMemory } from './sync-memory.ts';

export async function sync(context: CommandContext): Promise<number> {
  const [action = 'run'] = context.args.words;
  const actions = await listActions(context);
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (act === undefined)
    throw new UsageError(
      `\`ltm sync\` cannot ${safeLine(action)}.`,
      `Say one of ${Object.keys(actions).join(', ')}; \`ltm help sync\` explains them.`,
    );
  return act(context);
}

/** Those of memories, and those that another feature has: notes and sessions. */
async function listActions({ features }: CommandContext): Promise<Actions> {
  const others: Actions = Object.assign({}, ...(await Promise.all(features.map(({ actions }) => actions?.sync?.()))));
  const { run, status, ...more } = others;
  return {
    ...(run !== undefined && { run }),
    memory: syncMemory,
    rotate: rotateKey,
    status: (context) => showStatus(context, status),
    conflicts: showConflicts,
    ...more,
  };
}

/** Notes and sessions, and memories: two exchanges, one answer. */
async function showStatus(context: CommandContext, showOthers: Actions[string] | undefined): Promise<number> {
  const results: object[] = [];
  const shown: (string | (() => void))[] = [];
  const answer: CommandContext['answer'] = (result, show) => {
    results.push(result);
    shown.push(show);
  };
  await showOthers?.({ ...context, answer });
  const isInSync = await showMemoryStatus({ ...context, answer });
  context.answer(Object.assign({}, ...results), () => {
    for (const show of shown) {
      if (typeof show === 'string') context.terminal.print(show);
      else show();
    }
  });
  return isInSync ? EXIT.ok : EXIT.incomplete;
}
