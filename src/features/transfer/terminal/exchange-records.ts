import { createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeJson, safeLine, showCount } from '../../../cli/safe-text.ts';
import { type OutputStream, type Terminal, writeAll } from '../../../cli/terminal.ts';
import { readFilterFlags } from '../../../cli/verb-command.ts';
import { EngineError } from '../../../model/errors.ts';
import { lateFunctions } from '../../../model/late.ts';
import { streamPrivateFile } from '../../../settings/private-file.ts';
import type { ImportReport } from '../import-records.ts';
import { type ExportInput, exportRecords as exportVerb } from '../verbs/exchange-records.ts';
import { prepareSearch } from './prepare-search.ts';

const { findForeign, importForeign } = lateFunctions(
  () => import('./import-foreign.ts'),
  'findForeign',
  'importForeign',
);

const SHOWN_PROBLEMS = 10;

export async function exportRecords({ args, terminal, json, client }: CommandContext): Promise<number> {
  const file = args.words[0] ?? '-';
  const lines = await (await client()).exportRecords({
    ...readFilterFlags<ExportInput>(exportVerb, args),
    includeDeleted: args.isOn('include-deleted'),
    includeVersions: !args.isOn('no-versions'),
  });
  const progress = createProgress(terminal, args.isOn('quiet'));
  let count = 0;
  const damaged: string[] = [];
  const write = async (stream: OutputStream): Promise<void> => {
    for await (const line of lines) {
      await writeAll(stream, `${terminal.showsToPerson ? safeJson(line) : line}\n`);
      count += 1;
      if (line.startsWith(DAMAGED)) damaged.push(describeDamaged(line));
      if (file !== '-') progress.show('exporting', count, 0);
    }
  };
  if (file === '-') await write(terminal.streams.stdout);
  else await streamPrivateFile(file, write);
  progress.end();
  if (json && file !== '-') terminal.printJson({ file, lines: count, damaged });
  else terminal.note(`Exported ${showCount(count, 'line')}${file === '-' ? '' : ` to ${file}`}.`);
  for (const what of damaged) terminal.warn(`damaged and left out: ${safeLine(what)}`);
  if (damaged.length > 0) terminal.warn('`ltm doctor` shows what can be repaired; the rest of the export is sound.');
  return damaged.length > 0 ? EXIT.incomplete : EXIT.ok;
}

/** How a line begins that marks what an export lacks. */
const DAMAGED = '{"damaged":';

function describeDamaged(line: string): string {
  const { damaged } = JSON.parse(line) as { damaged: { what: string; id?: string; missing?: number } };
  const { what, id, missing = 1 } = damaged;
  if (id === undefined) return `${showCount(missing, what)} that cannot be found any more`;
  if (what === 'chunk') return `the piece ${id} of a transcript`;
  return what === 'record' ? id : `a ${what} of ${id}`;
}

export async function importRecords(context: CommandContext): Promise<number> {
  const { args, terminal, answer, client } = context;
  const { stdin } = terminal.streams;
  const file = args.words[0] ?? '-';
  const foreign = await findForeign(args);
  if (foreign !== null) return importForeign(context, foreign);
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
    skipDamaged: args.isOn('skip-damaged'),
    untrusted: args.isOn('untrusted'),
    noRedact: args.isOn('no-redact'),
    onProgress: (done, total) => progress.show('importing', done, total),
  });
  if (report.records > 0 && !args.isOn('dry-run')) await prepareSearch(context, report.records, progress);
  progress.end();
  const how = { isDryRun: args.isOn('dry-run'), isSkipping: args.isOn('skip-damaged') };
  answer(report, () => showReport(report, how, terminal));
  if (report.problems.length > 0) return EXIT.usage;
  if (report.conflicts.length > 0) return EXIT.refused;
  return report.skipped.length > 0 ? EXIT.incomplete : EXIT.ok;
}

function openFile(file: string): NodeJS.ReadableStream {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new EngineError('not_found', `There is no file ${file}.`);
  return createReadStream(file);
}

function showReport(
  report: ImportReport,
  { isDryRun, isSkipping }: { isDryRun: boolean; isSkipping: boolean },
  { print, warn, note }: Terminal,
): void {
  const { records, versions, relations, unchanged, conflicts, redacted, problems, skipped, lacking } = report;
  if (problems.length > 0) {
    for (const { line, message } of problems.slice(0, SHOWN_PROBLEMS)) warn(`line ${line}: ${safeLine(message)}`);
    if (problems.length > SHOWN_PROBLEMS) warn(`and ${problems.length - SHOWN_PROBLEMS} more lines`);
    print('Nothing was imported.');
    if (!isSkipping) note('--skip-damaged leaves out such lines and imports the others.');
    return;
  }
  const counts = [showCount(records, 'record'), showCount(versions, 'version'), showCount(relations, 'relation')];
  print(`${isDryRun ? 'Would import' : 'Imported'} ${counts.join(', ')}; ${unchanged} already there.`);
  for (const { line, message } of skipped) warn(`left out line ${line}: ${safeLine(message)}`);
  for (const what of lacking) warn(`the file lacks ${safeLine(what)}: it was damaged where it was written`);
  for (const conflict of conflicts) warn(safeLine(conflict));
  for (const line of redacted.slice(0, SHOWN_PROBLEMS)) warn(safeLine(line));
  if (redacted.length > SHOWN_PROBLEMS) warn(`and ${redacted.length - SHOWN_PROBLEMS} more with secrets`);
}
