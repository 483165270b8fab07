import { existsSync, rmSync } from 'node:fs';
import { replaceFile } from '../../agents/edits/write-file.ts';
import { VERSION } from '../../model/version.ts';
import { dataFolder } from '../../settings/user-folders.ts';
import type { CommandContext } from '../command.ts';
import { UsageError } from '../report-error.ts';
import { runProgram } from '../run-program.ts';
import { findPrograms } from './find-program.ts';
import { describeSchedule, type Job, MANAGERS, type Manager, type Schedule, usualManager } from './schedule.ts';
import { carriedVariables, installedAt, placeOf } from './setup-place.ts';

export interface ScheduleOutcome {
  manager: Manager;
  files: string[];
  /** What went wrong, with what can be done by hand; null: it is done. */
  problem: string | null;
}

/** Runs `ltm` with these words now and then, by this machine's own scheduler. Said again, it replaces what was said before. */
export function planSchedule(
  context: CommandContext,
  { name, title, words, when }: Pick<Job, 'name' | 'title' | 'words' | 'when'>,
): Schedule {
  const { command, args } = findPrograms(installedAt(context), VERSION).whole.program;
  const job: Job = { name, title, words: [command, ...args, ...words], env: carriedVariables(context), when };
  return describeSchedule(chooseManager(context), job, {
    place: placeOf(context),
    dataFolder: dataFolder(context.env),
  });
}

function chooseManager({ args, env }: CommandContext): Manager {
  const named = args.text('by');
  const known = MANAGERS.find((manager) => manager === named);
  if (named !== undefined && known === undefined)
    throw new UsageError(`"${named}" is not a scheduler that ltm knows.`, `Give one of ${MANAGERS.join(', ')}.`);
  if (known !== undefined) return known;
  const hasSystemd =
    process.platform === 'linux' && runProgram(['systemctl', '--user', 'show-environment'], env).failure === null;
  return usualManager(process.platform, hasSystemd);
}

export function setSchedule(schedule: Schedule, env: CommandContext['env']): ScheduleOutcome {
  for (const { path, content } of schedule.files) replaceFile(path, Buffer.from(content));
  return { ...outcomeOf(schedule), problem: runAll(schedule.start, env) ?? changeTable(schedule, env, true) };
}

export function dropSchedule(schedule: Schedule, env: CommandContext['env']): ScheduleOutcome {
  const { files, stop } = schedule;
  const isThere = files.some(({ path }) => existsSync(path));
  const problem = (isThere ? runAll(stop, env) : null) ?? changeTable(schedule, env, false);
  for (const { path } of files) rmSync(path, { force: true });
  return { ...outcomeOf(schedule), problem };
}

function outcomeOf({ manager, files }: Schedule): Omit<ScheduleOutcome, 'problem'> {
  return { manager, files: files.map(({ path }) => path) };
}

function runAll(programs: Schedule['start'], env: CommandContext['env']): string | null {
  for (const words of programs) {
    const { failure } = runProgram(words, env);
    if (failure !== null)
      return `${words.join(' ')}: ${failure}. The files are in place; run it by hand, or choose another scheduler with --by.`;
  }
  return null;
}

/** Somebody who has no table yet gets one. */
function changeTable({ editTable }: Schedule, env: CommandContext['env'], isWanted: boolean): string | null {
  if (editTable === null) return null;
  const now = runProgram(['crontab', '-l'], env);
  if (now.failure !== null && !/no crontab/i.test(now.failure)) return `crontab: ${now.failure}.`;
  const table = editTable(now.stdout, isWanted);
  if (table === now.stdout) return null;
  const { failure } = runProgram(['crontab', '-'], env, table);
  return failure === null ? null : `crontab: ${failure}.`;
}
