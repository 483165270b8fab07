import { ask } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import type { ScrubOptions, ScrubReport } from '../../../engine/maintenance/scrub-records.ts';
import { scrubRecords } from '../verbs/scrub-records.ts';

const SHOWN = 50;

export async function scrub({ args, terminal, json, answer, client: open }: CommandContext): Promise<void> {
  const client = await open();
  const progress = createProgress(terminal, args.isOn('quiet'));
  const input = { ...readFlags<ScrubOptions>(scrubRecords, args), onProgress: progress.show };
  const look = await client.scrubRecords({ ...input, apply: args.isOn('yes') });
  progress.end();
  if (args.isOn('yes') || look.count === 0 || json || !terminal.isInteractive) {
    answer(look, () => show(look, args.isOn('yes'), terminal));
    return;
  }
  show(look, false, terminal);
  if (!(await ask(`Replace the secrets in ${showCount(look.count, 'record')}? This cannot be undone.`, terminal)))
    return;
  const done = await client.scrubRecords({ ...input, apply: true });
  progress.end();
  tellEnd(done, terminal);
}

function show(report: ScrubReport, isApplied: boolean, terminal: Terminal): void {
  const { print, paint, note } = terminal;
  for (const { space, id, kind, redactions, versions } of report.found.slice(0, SHOWN)) {
    const places = redactions.map((found) => `${found.kind} in ${found.field}, line ${found.line}`);
    const earlier = versions === 0 ? [] : [showCount(versions, 'earlier version')];
    const where = space === 'owner' ? '' : ` (space ${safeLine(space)})`;
    print(`${paint('cyan', id)} ${kind}${where}  ${safeLine([...places, ...earlier].join('; '))}`);
  }
  if (report.count > SHOWN) print(`… and ${showCount(report.count - SHOWN, 'more record')}`);
  if (report.kept > 0)
    note(
      `${showCount(report.kept, 'record')} with secrets that a person wanted stored: left alone. --all includes them.`,
    );
  if (isApplied) tellEnd(report, terminal);
  else if (report.count === 0) print(`No secrets in ${showCount(report.checked, 'record')}.`);
  else if (!terminal.isInteractive) note(`Nothing was changed. \`ltm scrub --yes\` replaces them.`);
}

function tellEnd({ replaced, checked, remains }: ScrubReport, { print, warn }: Terminal): void {
  print(`Replaced the secrets in ${replaced} of ${showCount(checked, 'record')}.`);
  if (replaced > 0) print('Rotate them all the same: copies, backups and exports may exist.');
  for (const what of remains) warn(safeLine(what));
}
