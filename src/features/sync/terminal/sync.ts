import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';
import {
  syncClaudeHook,
  syncInit,
  syncInstallSchedule,
  syncRun,
  syncStatus,
  syncTest,
} from '../../workspaces/sync/sync-workspaces.ts';
import { rotateKey, showConflicts, showMemoryStatus, syncMemory } from './sync-memory.ts';

const ACTIONS = {
  run: syncRun,
  memory: syncMemory,
  rotate: rotateKey,
  status: showStatus,
  conflicts: showConflicts,
  init: syncInit,
  test: syncTest,
  'claude-hook': syncClaudeHook,
  'install-schedule': syncInstallSchedule,
} as const;

export function sync(context: CommandContext): Promise<number> {
  const [action = 'run'] = context.args.words;
  if (!Object.hasOwn(ACTIONS, action))
    throw new UsageError(
      `\`ltm sync\` cannot ${safeLine(action)}.`,
      `Say one of ${Object.keys(ACTIONS).join(', ')}; \`ltm help sync\` explains them.`,
    );
  return ACTIONS[action as keyof typeof ACTIONS](context);
}

/** Notes and sessions, and memories: two exchanges, one answer. */
async function showStatus(context: CommandContext): Promise<number> {
  const results: object[] = [];
  const shown: (string | (() => void))[] = [];
  const answer: CommandContext['answer'] = (result, show) => {
    results.push(result);
    shown.push(show);
  };
  await syncStatus({ ...context, answer });
  const isInSync = await showMemoryStatus({ ...context, answer });
  context.answer(Object.assign({}, ...results), () => {
    for (const show of shown) {
      if (typeof show === 'string') context.terminal.print(show);
      else show();
    }
  });
  return isInSync ? EXIT.ok : EXIT.incomplete;
}
