import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { EngineError } from '../../model/errors.ts';
import { toWire } from '../../model/wire.ts';
import type { ImportReport } from '../../server/local-session.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import { safeLine } from '../safe-text.ts';
import { showCount } from '../show-age.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';

const SHOWN_PROBLEMS = 10;

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const { stdin } = terminal.streams;
  const file = args.words[0] ?? '-';
  if (file === '-' && stdin.isTTY === true)
    throw new UsageError(
      '`ltm import` needs a file, or JSON lines on stdin.',
      'For example `ltm import memories.jsonl`.',
    );
  const input = file === '-' ? stdin : openFile(file);
  const progress = createProgress(terminal, args.isOn('quiet'));
  const report = await (await client()).importRecords({
    lines: createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }),
    dryRun: args.isOn('dry-run'),
    untrusted: args.isOn('untrusted'),
    onProgress: (done) => progress.show('importing', done, 0),
  });
  progress.end();
  if (json) terminal.printJson(toWire(report));
  else showReport(report, args.isOn('dry-run'), terminal);
  return report.problems.length > 0 ? EXIT.usage : report.conflicts.length > 0 ? EXIT.refused : EXIT.ok;
}

function openFile(file: string): NodeJS.ReadableStream {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new EngineError('not_found', `There is no file ${file}.`);
  if (found.isDirectory()) throw new UsageError(`${file} is a folder.`);
  return createReadStream(file);
}

function showReport(report: ImportReport, isDryRun: boolean, { print, warn }: Terminal): void {
  const { records, versions, relations, unchanged, conflicts, problems } = report;
  if (problems.length > 0) {
    for (const { line, message } of problems.slice(0, SHOWN_PROBLEMS)) warn(`line ${line}: ${safeLine(message)}`);
    if (problems.length > SHOWN_PROBLEMS) warn(`and ${problems.length - SHOWN_PROBLEMS} more lines`);
    print('Nothing was imported.');
    return;
  }
  const counts = [showCount(records, 'record'), showCount(versions, 'version'), showCount(relations, 'relation')];
  print(`${isDryRun ? 'Would import' : 'Imported'} ${counts.join(', ')}; ${unchanged} already there.`);
  for (const conflict of conflicts) warn(safeLine(conflict));
}
