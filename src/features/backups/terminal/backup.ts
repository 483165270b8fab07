import { resolve } from 'node:path';
import { confirm } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { dropSchedule, planSchedule, setSchedule } from '../../../cli/machine/keep-schedule.ts';
import { createProgress } from '../../../cli/progress.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showBytes, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { showLocation } from '../../../model/show-location.ts';
import { type Config, loadConfigOnce } from '../../../settings/config.ts';
import { type Backup, findBackup, folderOf, listBackups } from '../backup-folder.ts';
import { BACKUP_JOB, noteSchedule } from '../backup-schedule.ts';
import { readBackupStatus } from '../backup-status.ts';
import { createBackup } from '../create-backup.ts';
import { restoreBackup } from '../restore-backup.ts';
import { verifyBackup } from '../verify-backup.ts';

const MAX_DAYS = 36_500;

const ACTIONS = { create, list, status, verify, restore, schedule } as const;

export function backup(context: CommandContext): Promise<number> {
  const [action = 'list'] = context.args.words;
  if (!Object.hasOwn(ACTIONS, action))
    throw new UsageError(
      `\`ltm backup\` cannot ${safeLine(action)}.`,
      `Say one of ${Object.keys(ACTIONS).join(', ')}; \`ltm help backup\` explains them.`,
    );
  return ACTIONS[action as keyof typeof ACTIONS](context);
}

function folderFor({ args }: CommandContext, { places }: Config): string {
  const named = args.text('to');
  return named === undefined ? places.backups : resolve(named);
}

function keepDaysOf({ args }: CommandContext, { backupKeepDays }: Config): number | null {
  return args.number('keep-days', { min: 1, max: MAX_DAYS }) ?? backupKeepDays;
}

async function create(context: CommandContext): Promise<number> {
  const { args, terminal, answer, sources } = context;
  const config = loadConfigOnce(sources);
  const progress = createProgress(terminal, args.isOn('quiet'));
  const made = await createBackup(context.machine, config, {
    folder: folderFor(context, config),
    keepDays: keepDaysOf(context, config),
    onProgress: progress.show,
  });
  progress.end();
  answer(made, () => {
    terminal.print(`Backed up ${describe(made.backup)} to`);
    terminal.print(safeLine(made.backup.path));
    if (made.removed.length > 0) terminal.print(`Removed ${showCount(made.removed.length, 'older backup')}.`);
  });
  if (made.backup.damaged === 0) return EXIT.ok;
  terminal.warn(
    `${showCount(made.backup.damaged, 'row')} of the database is damaged, and so in the backup. \`ltm doctor\` names what it is; keep the older backups.`,
  );
  return EXIT.incomplete;
}

function describe({ records, versions, plainBytes, bytes }: Backup): string {
  return `${showCount(records, 'record')} and ${showCount(versions, 'earlier version')}, ${showBytes(plainBytes)} in ${showBytes(bytes)},`;
}

async function list(context: CommandContext): Promise<number> {
  const { terminal, answer, sources } = context;
  const folder = folderFor(context, loadConfigOnce(sources));
  const backups = listBackups(folder);
  answer({ folder, backups }, () => {
    for (const one of backups) showOne(one, terminal);
    if (backups.length === 0) terminal.note(`There is no backup in ${folder}. \`ltm backup create\` makes one.`);
  });
  return EXIT.ok;
}

async function status({ terminal, answer, sources }: CommandContext): Promise<number> {
  const config = loadConfigOnce(sources);
  const { backups, ...found } = await readBackupStatus(config, Date.now());
  const bytes = backups.reduce((sum, one) => sum + one.bytes, 0);
  const [newest] = backups;
  const summary = { lastAt: newest?.createdAt ?? null, count: backups.length, bytes };
  answer({ ...found, ...summary }, () => {
    const { enabled, scheduler, nextAt, retentionDays, folder } = found;
    terminal.print(
      enabled
        ? `Every day, by ${safeLine(scheduler ?? '')}; the next one at ${showTime(nextAt ?? '')}.`
        : 'No backup is scheduled. `ltm backup schedule` makes one a day.',
    );
    terminal.print(
      retentionDays === null
        ? 'Older backups stay.'
        : `A new one removes those that are older than ${showCount(retentionDays, 'day')}.`,
    );
    terminal.print(
      newest === undefined
        ? `There is none in ${safeLine(folder)} yet.`
        : `${showCount(backups.length, 'backup')}, ${showBytes(bytes)}, the last of ${showTime(newest.createdAt)}, in ${safeLine(folder)}.`,
    );
  });
  return EXIT.ok;
}

function showTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function showOne({ path, createdAt, records, bytes, reason, damaged }: Backup, { print, paint }: Terminal): void {
  const notes = [reason === 'restore' ? 'before a restore' : '', damaged > 0 ? `${damaged} damaged` : ''];
  const more = notes.filter((note) => note !== '').join(', ');
  print(
    `${createdAt.slice(0, 19).replace('T', ' ')} UTC  ${showCount(records, 'record')}, ${showBytes(bytes)}${more === '' ? '' : paint('yellow', `  ${more}`)}`,
  );
  print(paint('dim', `  ${safeLine(path)}`));
}

function chosenBackup(context: CommandContext, config: Config): Backup {
  return findBackup(context.args.words[1] ?? folderFor(context, config));
}

async function verify(context: CommandContext): Promise<number> {
  const { args, terminal, answer, sources } = context;
  const config = loadConfigOnce(sources);
  const progress = createProgress(terminal, args.isOn('quiet'));
  const {
    backup: chosen,
    report,
    close,
  } = await verifyBackup(context.machine, config, {
    backup: chosenBackup(context, config),
    onProgress: progress.show,
  });
  close();
  progress.end();
  answer({ backup: chosen, sound: report.sound, checks: report.checks }, () => {
    showOne(chosen, terminal);
    for (const { name, ok, detail } of report.checks)
      if (!ok) terminal.print(`${terminal.paint('red', '✗')} ${name}  ${safeLine(detail)}`);
    if (report.sound) terminal.print(terminal.paint('green', 'Everything in it is sound.'));
  });
  return report.sound ? EXIT.ok : EXIT.storage;
}

async function restore(context: CommandContext): Promise<number> {
  const { args, terminal, answer, sources } = context;
  const config = loadConfigOnce(sources);
  const chosen = chosenBackup(context, config);
  const place = showLocation(config.db);
  if (args.isOn('dry-run')) {
    const verified = await verifyBackup(context.machine, config, { backup: chosen, onProgress: () => undefined });
    verified.close();
    answer({ backup: chosen, db: place, dryRun: true, sound: verified.report.sound }, () => {
      showOne(chosen, terminal);
      terminal.print(`It is ${verified.report.sound ? 'sound' : 'damaged'}, and would replace ${place}.`);
    });
    return verified.report.sound ? EXIT.ok : EXIT.storage;
  }
  const isAgreed = await confirm(
    async () => {
      showOne(chosen, terminal);
      return `Replace what is in ${place} by it? What is there now is backed up first.`;
    },
    { args, terminal, what: 'restoring' },
  );
  if (!isAgreed) return EXIT.refused;
  const progress = createProgress(terminal, args.isOn('quiet'));
  const verified = await verifyBackup(context.machine, config, { backup: chosen, onProgress: progress.show });
  try {
    const replaces = args.text('replaces') ?? null;
    const options = { verified, folder: folderOf(chosen), replaces, onProgress: progress.show };
    const restored = await restoreBackup(context.machine, config, options);
    progress.end();
    answer({ ...restored, db: place, sound: verified.report.sound }, () => {
      terminal.print(terminal.paint('green', `Restored ${describe(chosen)} to ${place}.`));
      if (restored.restorePoint !== null)
        terminal.print(`What was there is in ${safeLine(restored.restorePoint.path)}`);
      if (restored.movedTo !== null)
        terminal.print(
          `What was there could not be read, nor what was purged or rejected there; it is now ${restored.movedTo}`,
        );
      if (restored.keptOut > 0)
        terminal.print(`${showCount(restored.keptOut, 'record')} that were purged or rejected since are gone again.`);
    });
  } finally {
    verified.close();
  }
  if (verified.report.sound) return EXIT.ok;
  terminal.warn('The backup holds damaged rows. `ltm doctor` names them.');
  return EXIT.incomplete;
}

async function schedule(context: CommandContext): Promise<number> {
  const { args, env, terminal, answer, sources } = context;
  const config = loadConfigOnce(sources);
  const keepDays = keepDaysOf(context, config);
  const folder = folderFor(context, config);
  const words = ['backup', 'create', '--to', folder, ...(keepDays === null ? [] : ['--keep-days', String(keepDays)])];
  const when = readTime(args.text('at') ?? '03:30');
  const plan = planSchedule(context, { name: BACKUP_JOB, title: 'Backup of the long-term memory', words, when });
  if (args.isOn('dry-run')) {
    const table = plan.editTable?.('', true) ?? null;
    answer({ dryRun: true, manager: plan.manager, files: plan.files, table, start: plan.start }, () => {
      for (const { path, content } of plan.files) terminal.print(`${path}\n${content}`);
      if (table !== null) terminal.print(table);
      for (const program of plan.start) terminal.print(program.join(' '));
    });
    return EXIT.ok;
  }
  const isOff = args.isOn('off');
  const outcome = isOff ? dropSchedule(plan, env) : setSchedule(plan, env);
  noteSchedule(config, isOff ? null : { folder, keepDays, ...when, plan });
  answer({ ...outcome, scheduled: !isOff && outcome.problem === null }, () => {
    if (outcome.problem === null)
      terminal.print(
        isOff ? 'No backup is scheduled any more.' : `A backup goes to ${folder} every day, by ${plan.manager}.`,
      );
  });
  if (outcome.problem !== null) terminal.warn(safeLine(outcome.problem));
  return outcome.problem === null ? EXIT.ok : EXIT.failure;
}

function readTime(text: string): { hour: number; minute: number } {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? [];
  if (hour === undefined || Number(hour) > 23 || Number(minute) > 59)
    throw new UsageError(`"${safeLine(text)}" is not a time of the day.`, 'For example --at 03:30.');
  return { hour: Number(hour), minute: Number(minute) };
}
