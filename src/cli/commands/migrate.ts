import { showLocation } from '../../model/show-location.ts';
import { toWire } from '../../model/wire.ts';
import { loadConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { type MigrationReport, migrateDatabase } from '../../server/migrate-database.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import { showCount } from '../show-age.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

export async function run({ args, terminal, json, sources }: CommandContext): Promise<number> {
  const from = args.text('from');
  const to = args.text('to');
  if (from === undefined || to === undefined)
    throw new UsageError(
      '`ltm migrate` needs --from and --to.',
      'For example `ltm migrate --from memory.db --to postgres://ltm@db/ltm`.',
    );
  const config = loadConfig(sources);
  const progress = createProgress(terminal, args.isOn('quiet'));
  const startedAt = performance.now();
  const dryRun = args.isOn('dry-run');
  const report = await migrateDatabase(config, createLog('error'), { from, to, dryRun, onProgress: progress.show });
  progress.end();
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  if (json) terminal.printJson(toWire({ from: showLocation(from), to: showLocation(to), dryRun, seconds, ...report }));
  else showReport(report, { dryRun, seconds }, terminal);
  return EXIT.ok;
}

function showReport(
  report: MigrationReport,
  { dryRun, seconds }: { dryRun: boolean; seconds: number },
  { print, note, paint }: Terminal,
): void {
  const { records, versions, relations, vectors, changes, users, teams, tokens } = report.copied;
  const counts = [
    showCount(records, 'record'),
    showCount(versions, 'version'),
    showCount(relations, 'relation'),
    showCount(vectors, 'vector'),
    showCount(changes, 'change'),
  ];
  const people = [showCount(users, 'user'), showCount(teams, 'team'), showCount(tokens, 'token')];
  print(
    `${dryRun ? 'Would copy' : 'Copied'} ${showCount(report.spaces, 'space')}: ${[...counts, ...people].join(', ')}.`,
  );
  if (dryRun) return;
  print(
    paint(
      'green',
      `Every record is the same by its hash, and ${showCount(report.comparedSearches, 'search', 'searches')} gave the same first ten. ${seconds} s.`,
    ),
  );
  if (report.behind > 0) print(`${showCount(report.behind, 'change')} came in meanwhile.`);
  note(
    'Now stop what writes to the source, run the same command once more (it brings over only what is new), and start with --db set to the new place.',
  );
}
