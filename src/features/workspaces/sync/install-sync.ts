import type { CommandContext } from '../../../cli/command.ts';
import { addClaudeHook, dropClaudeHook } from '../../../cli/machine/claude-hook.ts';
import { dropSchedule, planSchedule, setSchedule } from '../../../cli/machine/keep-schedule.ts';
import { EXIT } from '../../../cli/report-error.ts';
import { safeLine } from '../../../cli/safe-text.ts';

const EVERY_MINUTES = 30;

/** `ltm sync run` every half hour, and at the end of each session of Claude Code. Said again, it changes nothing. */
export async function installSync(context: CommandContext): Promise<number> {
  const { args, env, terminal, answer } = context;
  const when = { everyMinutes: args.number('every', { min: 5, max: 1440 }) ?? EVERY_MINUTES };
  const plan = planSchedule(context, {
    name: 'ltm-sync',
    title: 'Sync of notes and sessions',
    words: ['sync', 'run'],
    when,
  });
  const isOff = args.isOn('off');
  if (args.isOn('dry-run')) {
    const table = plan.editTable?.('', true) ?? null;
    answer({ dryRun: true, manager: plan.manager, files: plan.files, table, start: plan.start }, () => {
      for (const { path, content } of plan.files) terminal.print(`${path}\n${content}`);
      if (table !== null) terminal.print(table);
    });
    return EXIT.ok;
  }
  const added = isOff ? null : addClaudeHook(context);
  const outcome = isOff ? dropSchedule(plan, env) : setSchedule(plan, env);
  const hook = isOff ? dropClaudeHook(context) : added;
  answer({ ...outcome, scheduled: !isOff && outcome.problem === null, hook }, () => {
    if (hook !== null) terminal.print(`${isOff ? 'Hook taken out of' : 'Hook:'} ${safeLine(hook)}`);
    if (outcome.problem === null)
      terminal.print(
        isOff ? 'Nothing is scheduled any more.' : `Synced every ${when.everyMinutes} minutes, by ${plan.manager}.`,
      );
  });
  if (outcome.problem !== null) terminal.warn(safeLine(outcome.problem));
  return outcome.problem === null ? EXIT.ok : EXIT.failure;
}
