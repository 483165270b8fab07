import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { EngineError } from '../../../model/errors.ts';
import { isDatabaseUrl, showLocation } from '../../../model/show-location.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { createLog } from '../../../settings/log.ts';
import type { ExamineReport } from '../examine.ts';
import { type MigrationReport, migrateDatabase } from '../migrate-database.ts';
import { openMendSource } from '../open-mend-source.ts';

export async function doctor({ args, terminal, answer, open, machine, features }: CommandContext): Promise<number> {
  const { engine, caller, config } = await open();
  const progress = createProgress(terminal, args.isOn('quiet'));
  const repair = args.isOn('repair');
  const backupPath = chooseBackup(args, config.db);
  const from = args.text('from');
  if (from !== undefined && !repair)
    throw new UsageError('--from is for repairs.', '`ltm doctor --repair --from FILE` takes damaged records from it.');
  const source =
    from === undefined
      ? null
      : await openMendSource(from, { machine, features, kinds: engine.kinds, log: createLog('error') });
  const report = await engine.examine(caller, { repair, backupPath, source, onProgress: progress.show });
  await source?.close();
  progress.end();
  answer(report, () => showExamined(report, repair, terminal));
  return report.sound ? EXIT.ok : EXIT.storage;
}

/** null: none, as was asked for. A server's database is not ours to copy, and nobody should learn that from a repair without a way back. */
function chooseBackup(args: Arguments, db: string): string | null {
  const file = args.text('backup');
  if (args.isOn('no-backup')) {
    if (file !== undefined)
      throw new UsageError('--backup and --no-backup contradict each other.', 'Give one of them.');
    return null;
  }
  if (args.isOn('repair') && isDatabaseUrl(db)) {
    throw new EngineError(
      'storage_unsupported',
      'A repair makes no copy of a PostgreSQL database by itself, and should not be made without one.',
      { hint: 'Make one with `ltm backup create` or pg_dump, then run `ltm doctor --repair --no-backup`.' },
    );
  }
  return file ?? `${db}.${backupStamp(new Date())}.backup`;
}

function backupStamp(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}

function showExamined(
  { sound, checks, repaired, left, backup }: ExamineReport,
  repair: boolean,
  { print, paint }: Terminal,
): void {
  for (const { name, ok, detail } of checks) {
    const more = detail === '' ? '' : paint('dim', `  ${safeLine(detail)}`);
    print(`${ok ? paint('green', '✓') : paint('red', '✗')} ${name}${more}`);
  }
  if (backup !== null) print(`Backup: ${backup}`);
  for (const what of repaired) print(`Repaired: ${safeLine(what)}`);
  for (const what of left) print(paint('red', `Not repaired: ${safeLine(what)}`));
  if (sound) print(paint('green', 'Everything is sound.'));
  else if (repair) print(paint('red', 'Some problems could not be repaired.'));
  else print(paint('red', 'There are problems. `ltm doctor --repair` makes a backup and repairs what it can.'));
}

export async function migrate({ args, terminal, answer, sources, machine }: CommandContext): Promise<void> {
  const from = args.text('from');
  const to = args.text('to');
  if (from === undefined || to === undefined)
    throw new UsageError(
      '`ltm migrate` needs --from and --to.',
      'For example `ltm migrate --from memory.db --to postgres://ltm@db/ltm`.',
    );
  const config = loadConfigOnce(sources);
  const progress = createProgress(terminal, args.isOn('quiet'));
  const startedAt = performance.now();
  const dryRun = args.isOn('dry-run');
  const report = await migrateDatabase(machine, config, {
    log: createLog('error'),
    from,
    to,
    dryRun,
    onProgress: progress.show,
  });
  progress.end();
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const places = { from: showLocation(from), to: showLocation(to) };
  answer({ ...places, dryRun, seconds, ...report }, () => showMigration(report, { dryRun, seconds }, terminal));
}

const COPIED = ['record', 'version', 'relation', 'vector', 'change', 'user', 'team', 'token'] as const;

function showMigration(
  report: MigrationReport,
  { dryRun, seconds }: { dryRun: boolean; seconds: number },
  { print, note, paint }: Terminal,
): void {
  const counts = COPIED.map((noun) => showCount(report.copied[`${noun}s`], noun));
  print(`${dryRun ? 'Would copy' : 'Copied'} ${showCount(report.spaces, 'space')}: ${counts.join(', ')}.`);
  if (dryRun) return;
  const searches = showCount(report.comparedSearches, 'search', 'searches');
  const sound = `Every record is the same by its hash, and ${searches} gave the same first ten. ${seconds} s.`;
  print(paint('green', sound));
  if (!report.statisticsGathered)
    note(
      'This role may not gather statistics of the new tables. The server does so by itself within some minutes, and `ltm server roles` as their owner at once; until then some answers take longer.',
    );
  if (report.behind > 0) print(`${showCount(report.behind, 'change')} came in meanwhile.`);
  note(
    'Now stop everything that writes to the source, run the same command again (it copies only what is new), and start with --db set to the new database.',
  );
}
