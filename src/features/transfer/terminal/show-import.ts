import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import type { ImportReport } from '../import-records.ts';
import type { ImportedMemory } from '../importers/imported.ts';
import type { Converted } from '../importers/make-lines.ts';

export interface TakenSettings {
  taken: string[];
  told: readonly string[];
}

/** What an import from another system came to. */
export interface ImportOutcome extends Pick<ImportReport, 'redacted' | 'problems' | 'conflicts'> {
  system: string;
  dryRun: boolean;
  imported: number;
  updated: number;
  rejected: number;
  unchanged: number;
  relations: number;
  packets: number;
  events: number;
  transcripts: number;
  leftOut: Converted['leftOut'];
  settings: TakenSettings;
}

const SHOWN = 10;

export function showImport(outcome: ImportOutcome, { memories }: Converted, { print, warn, note }: Terminal): void {
  const { system, dryRun, imported, updated, unchanged, relations, packets, events, transcripts, leftOut } = outcome;
  for (const { line, message } of outcome.problems.slice(0, SHOWN)) warn(`item ${line}: ${safeLine(message)}`);
  if (outcome.problems.length > 0) {
    print('Nothing was imported.');
    return;
  }
  const parts = [
    showCount(imported, 'memory', 'memories'),
    ...(events > 0 ? [showCount(events, 'observation')] : []),
    ...(packets > 0 ? [showCount(packets, 'packet')] : []),
    ...(transcripts > 0 ? [showCount(transcripts, 'transcript')] : []),
    ...(relations > 0 ? [showCount(relations, 'relation')] : []),
  ];
  print(
    `${dryRun ? 'Would import' : 'Imported'} ${parts.join(', ')} from ${system}; ${updated} updated, ${unchanged} already there.`,
  );
  if (outcome.rejected > 0)
    note(`${showCount(outcome.rejected, 'memory', 'memories')} left out: somebody has rejected the text.`);
  for (const [name, counts] of [
    ['types', countBy([...memories.values()], ({ type }) => type ?? 'note')],
    ['projects', countBy([...memories.values()], ({ project }) => project ?? '(none)')],
  ] as const)
    if (dryRun && counts.length > 0) print(`  ${name}: ${safeLine(counts.slice(0, SHOWN).join(', '))}`);
  for (const [what, count] of groupLeftOut(leftOut))
    warn(`left out ${safeLine(what)}${count > 1 ? ` and ${count - 1} more` : ''}`);
  for (const conflict of outcome.conflicts.slice(0, SHOWN)) warn(safeLine(conflict));
  if (outcome.conflicts.length > SHOWN) warn(`and ${outcome.conflicts.length - SHOWN} more`);
  for (const line of outcome.redacted.slice(0, SHOWN)) warn(safeLine(line));
  if (outcome.redacted.length > SHOWN) warn(`and ${outcome.redacted.length - SHOWN} more with secrets`);
  const { taken, told } = outcome.settings;
  if (taken.length > 0) note(`${dryRun ? 'Would set' : 'Set'} ${taken.join(', ')} as there.`);
  for (const line of told) note(safeLine(line));
  if (dryRun) note('Nothing was written.');
}

function countBy(memories: readonly ImportedMemory[], nameOf: (memory: ImportedMemory) => string): string[] {
  const counts = new Map<string, number>();
  for (const memory of memories) counts.set(nameOf(memory), (counts.get(nameOf(memory)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
}

/** One of each reason, with how many there are. */
function groupLeftOut(leftOut: Converted['leftOut']): Map<string, number> {
  const first = new Map<string, string>();
  const groups = new Map<string, number>();
  for (const { what, why } of leftOut) {
    const said = first.get(why) ?? `${what}: ${why}`;
    first.set(why, said);
    groups.set(said, (groups.get(said) ?? 0) + 1);
  }
  return groups;
}
