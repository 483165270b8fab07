import type { ExamineReport } from '../../server/local-session.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { createProgress } from '../progress.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { toJson } from '../to-json.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const { engine, caller, config } = await open();
  const progress = createProgress(terminal, args.isOn('quiet'));
  const repair = args.isOn('repair');
  const report = await engine.examine(caller, {
    repair,
    backupPath: args.text('backup') ?? `${config.db}.${backupStamp(new Date())}.backup`,
    onProgress: (step, done, total) => progress.show(step, done, total),
  });
  progress.end();
  if (json) terminal.printJson(toJson(report));
  else showReport(report, repair, terminal);
  return report.sound ? EXIT.ok : EXIT.storage;
}

function backupStamp(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
}

function showReport({ sound, checks, repaired, backup }: ExamineReport, repair: boolean, { print, paint }: Terminal): void {
  for (const { name, ok, detail } of checks)
    print(`${ok ? paint('green', '✓') : paint('red', '✗')} ${name}${detail === '' ? '' : paint('dim', `  ${safeLine(detail)}`)}`);
  if (backup !== null) print(`Backup: ${backup}`);
  for (const what of repaired) print(`Repaired: ${safeLine(what)}`);
  if (sound) print(paint('green', 'Everything is sound.'));
  else print(paint('red', repair ? 'Some of it could not be repaired.' : 'Something is wrong: `ltm doctor --repair` mends what it can, after a backup.'));
}
