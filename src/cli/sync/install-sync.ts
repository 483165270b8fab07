import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../model/version.ts';
import { appendJsonAt, type JsonFile, readJsonAt } from '../../setup/edit-json.ts';
import { findPrograms } from '../../setup/find-program.ts';
import { hookLine } from '../../setup/hook-entries.ts';
import { readBytes, replaceFile } from '../../setup/write-file.ts';
import { agentFolders } from '../../transcripts/agent-folders.ts';
import type { CommandContext } from '../command.ts';
import { dropSchedule, planSchedule, setSchedule } from '../keep-schedule.ts';
import { EXIT } from '../report-error.ts';
import { safeLine } from '../safe-text.ts';
import { installedAt } from '../setup-place.ts';

const EVERY_MINUTES = 30;
const HOOK_SECONDS = 30;

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
  const hook = isOff ? null : addHook(context);
  const outcome = isOff ? dropSchedule(plan, env) : setSchedule(plan, env);
  answer({ ...outcome, scheduled: !isOff && outcome.problem === null, hook }, () => {
    if (hook !== null) terminal.print(`Hook: ${safeLine(hook)}`);
    if (outcome.problem === null)
      terminal.print(
        isOff ? 'Nothing is scheduled any more.' : `Synced every ${when.everyMinutes} minutes, by ${plan.manager}.`,
      );
  });
  if (outcome.problem !== null) terminal.warn(safeLine(outcome.problem));
  return outcome.problem === null ? EXIT.ok : EXIT.failure;
}

const OURS = /\bsync claude-hook\b/;

/** In Claude Code's settings, once; what was there lies beside it. Null: Claude Code is not used here. */
function addHook(context: CommandContext): string | null {
  const folder = agentFolders(context.env).claude;
  if (!existsSync(folder)) return null;
  const path = join(folder, 'settings.json');
  const file: JsonFile = { text: readBytes(path)?.toString('utf8') ?? '{}\n', name: path };
  if (OURS.test(JSON.stringify(readJsonAt(file, ['hooks', 'SessionEnd']) ?? []))) return path;
  if (existsSync(path)) copyFileSync(path, `${path}.before-ltm-sync`);
  const { command, args } = findPrograms(installedAt(context), VERSION).whole.program;
  const line = hookLine({ command, args: [...args, 'sync', 'claude-hook'] }, process.platform);
  const handler = { type: 'command', command: line, timeout: HOOK_SECONDS };
  const edited = appendJsonAt(file, ['hooks', 'SessionEnd'], { hooks: [handler] });
  replaceFile(path, Buffer.from(edited.text));
  return path;
}
