import { collectDamage } from '../../model/damage.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { joinRedactions, type Redaction } from '../../model/redaction.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { PieceCleaner } from '../pieces/clean-pieces.ts';
import { isDamagedPiece } from '../pieces/pack-chunk.ts';
import type { ScrubOptions, ScrubReport } from './scrub-records.ts';
import { listHolders } from './sweep-chunks.ts';

const PAGE = 500;
const MAX_TOLD = 1000;
const MAX_PLACES = 100;

interface LooseWork {
  parts: EngineParts;
  options: ScrubOptions;
  report: ScrubReport;
  cleaner: PieceCleaner;
}

/**
 * Pieces with secrets that nothing holds: those that scrubbed records have let go, and those of uploads that broke off. They are removed; whoever goes on
 * with an upload is told that they are missing. A session that took one up meanwhile is scrubbed once more.
 */
export async function scrubLoose(
  work: LooseWork,
  space: SpaceId,
  scrub: (record: StoredRecord) => Promise<void>,
): Promise<void> {
  const { parts, options, report, cleaner } = work;
  const { chunks } = parts.store;
  if ((await chunks.list(space, '', 1)).length === 0) return;
  const damage = collectDamage();
  const held = new Set<string>();
  for await (const { names } of listHolders(parts, space, damage.note)) for (const name of names) held.add(name);
  if (damage.noted.length > 0) {
    report.remains.push(
      'Pieces of transcripts that nothing holds were left alone: a record that may hold them is damaged.',
    );
    return;
  }
  const dropped = new Set<string>();
  const pointers = new Map<string, string>();
  for (let after = ''; ; ) {
    const page = await chunks.list(space, after, PAGE);
    const loose = page.map(({ sha256 }) => sha256).filter((name) => !held.has(name));
    for (const { sha256: name, alias } of loose.length === 0 ? [] : await chunks.find(space, loose)) {
      if (alias !== null) pointers.set(name, alias);
      else if (cleaner.isGone(name) || (await holdsSecrets(work, space, name))) dropped.add(name);
    }
    if (page.length < PAGE) break;
    after = page.at(-1)!.sha256;
  }
  if (options.apply !== true || dropped.size === 0) return;
  const astray = [...pointers].flatMap(([name, alias]) => (dropped.has(alias) ? [name] : []));
  await chunks.drop(space, [...dropped, ...astray]);
  for await (const { record, names } of listHolders(parts, space, damage.note))
    if (names.some((name) => dropped.has(name))) await scrub(record);
}

/** One that is damaged can be read by nobody, and goes with the others that nothing holds. */
async function holdsSecrets({ options, report, cleaner }: LooseWork, space: SpaceId, name: string): Promise<boolean> {
  const redactions: Redaction[] = [];
  try {
    for await (const { found } of cleaner.walk([name]))
      for (const { kind, line } of found) redactions.push({ field: 'piece', kind, line: line + 1, replaced: true });
  } catch (error) {
    if (!isDamagedPiece(error)) throw error;
  }
  if (redactions.length === 0) return false;
  report.count++;
  if (options.apply === true) report.replaced++;
  const told = {
    space,
    id: name,
    kind: 'chunk',
    redactions: joinRedactions(redactions).slice(0, MAX_PLACES),
    versions: 0,
  };
  if (report.found.length < MAX_TOLD) report.found.push(told);
  return true;
}
