import { EngineError } from '../../model/errors.ts';
import { isDatabaseUrl } from '../../model/show-location.ts';
import { toWire } from '../../model/wire.ts';
import type { ExamineReport } from '../../server/local-session.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import type { Arguments } from '../read-arguments.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const { engine, caller, config } = await open();
  const progress = createProgress(terminal, args.isOn('quiet'));
  const repair = args.isOn('repair');
  const backupPath = chooseBackup(args, config.db);
  const report = await engine.examine(caller, {
    repair,
    backupPath,
    onProgress: (step, done, total) => progress.show(step, done, total),
  });
  progress.end();
  if (json) terminal.printJson(toWire(report));
  else showReport(report, repair, terminal);
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
      'ltm makes no backup of a PostgreSQL database, and a repair should not be made without one.',
      {
        hint: 'Make one with pg_dump, then run `ltm doctor --repair --no-backup`.',
      },
    );
  }
  return file ?? `${db}.${backupStamp(new Date())}.backup`;
}

function backupStamp(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}

function showReport(
  { sound, checks, repaired, backup }: ExamineReport,
  repair: boolean,
  { print, paint }: Terminal,
): void {
  for (const { name, ok, detail } of checks)
    print(
      `${ok ? paint('green', '✓') : paint('red', '✗')} ${name}${detail === '' ? '' : paint('dim', `  ${safeLine(detail)}`)}`,
    );
  if (backup !== null) print(`Backup: ${backup}`);
  for (const what of repaired) print(`Repaired: ${safeLine(what)}`);
  if (sound) print(paint('green', 'Everything is sound.'));
  else
    print(
      paint(
        'red',
        repair
          ? 'Some of it could not be repaired.'
          : 'Something is wrong: `ltm doctor --repair` mends what it can, after a backup.',
      ),
    );
}
