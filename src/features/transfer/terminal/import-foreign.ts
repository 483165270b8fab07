import { statSync } from 'node:fs';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import type { ImportedParts, TakenImport } from '../../../model/imported-parts.ts';
import { loadConfigOnce } from '../../../settings/config.ts';
import { setConfigValue } from '../../../settings/config-file.ts';
import type { Client } from '../../../verbs/client.ts';
import type { TakeImported } from '../../feature.ts';
import { findNoteFolders } from '../importers/basic-memory.ts';
import type { ForeignSettings, Importer, Place } from '../importers/imported.ts';
import { findImporter, IMPORTERS, lookAt, recogniseImporter } from '../importers/importer-table.ts';
import { convertImported } from '../importers/make-lines.ts';
import { prepareSearch } from './prepare-search.ts';
import { showImport, type TakenSettings } from './show-import.ts';

interface Foreign {
  importer: Importer;
  place: Place;
}

/** Our own exports say so in their first line. */
const OWN_EXPORT = /^\s*\{"format":"ltm-export"/;

/** What the command is to read, where that is no export of ours; null where it is. */
export async function findForeign(args: Arguments): Promise<Foreign | null> {
  const [path] = args.words;
  const from = args.text('from');
  if (path === undefined || path === '-') {
    if (from === undefined) return null;
    throw new UsageError(
      '`ltm import --from` needs a file or folder.',
      `For example \`ltm import --from ${from} PATH\`.`,
    );
  }
  if (from === undefined && statSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const place = lookAt(path);
  if (from !== undefined) return { importer: findImporter(from), place };
  if (OWN_EXPORT.test(place.head)) return null;
  const importer = await recogniseImporter(place);
  if (importer !== null) return { importer, place };
  if (!place.isFolder && place.tables.size === 0) return null;
  const folders = findNoteFolders(place);
  if (folders !== null)
    throw new UsageError(
      `${path} is the index of basic-memory; its memories are the notes.`,
      `\`ltm import ${folders[0] ?? 'FOLDER'}\` reads them.`,
    );
  throw new UsageError(
    `${path} is nothing that ltm recognises.`,
    `--from SYSTEM says whose it is: ${IMPORTERS.map(({ name }) => name).join(', ')}.`,
  );
}

export async function importForeign(context: CommandContext, { importer, place }: Foreign): Promise<number> {
  const { args, terminal, answer } = context;
  const isDryRun = args.isOn('dry-run');
  const progress = createProgress(terminal, args.isOn('quiet'));
  progress.show(`reading ${importer.name}`, 0, 0);
  const converted = await convertImported(importer.name, importer.read(place), {
    at: place.changedAt,
    now: Date.now(),
    project: args.text('project') ?? null,
  });
  const client = await context.client();
  const report = await client.importRecords({
    lines: (async function* () {
      yield* converted.lines;
    })(),
    dryRun: isDryRun,
    untrusted: args.isOn('untrusted'),
    noRedact: args.isOn('no-redact'),
    update: true,
    onProgress: (done, total) => progress.show('importing', done, total),
  });
  const options = { isDryRun, onProgress: progress.show };
  const take = <Part extends keyof ImportedParts>(part: Part) =>
    takePart(context, part, { client, converted, options });
  const packets = await take('packets');
  const events = await take('events');
  const transcripts = await take('transcripts');
  const settings = takeSettings(context, importer.readSettings?.(place), isDryRun);
  if (report.records > 0 && !isDryRun) await prepareSearch(context, report.records, progress);
  progress.end();
  const outcome = {
    system: importer.name,
    dryRun: isDryRun,
    found: converted.memories.size + converted.packets.length + converted.events.length + converted.transcripts.length,
    imported: report.records,
    updated: report.updated,
    rejected: report.rejected,
    unchanged: report.unchanged + events.unchanged + packets.unchanged + transcripts.unchanged,
    relations: report.relations,
    packets: packets.taken,
    events: events.taken,
    transcripts: transcripts.taken,
    redacted: report.redacted,
    conflicts: [...report.conflicts, ...packets.refused],
    leftOut: [...converted.leftOut, ...packets.leftOut, ...events.leftOut, ...transcripts.leftOut],
    problems: report.problems,
    settings,
  };
  answer(outcome, () => showImport(outcome, converted, terminal));
  if (report.problems.length > 0) return EXIT.usage;
  return outcome.conflicts.length > 0 ? EXIT.refused : EXIT.ok;
}

/** Into the config file of this machine, where nobody has set them. */
function takeSettings(
  { sources }: CommandContext,
  found: ForeignSettings | undefined,
  isDryRun: boolean,
): TakenSettings {
  if (found === undefined) return { taken: [], told: [] };
  const config = loadConfigOnce(sources);
  const { origin, declared } = config;
  const byName = new Map(declared.settings.map((setting) => [setting.name, setting]));
  const taken = Object.keys(found.settings).filter((name) => {
    const setting = byName.get(name);
    const isSound = setting?.kind.read(found.settings[name]) !== undefined;
    return setting !== undefined && isSound && origin[setting.key].source === 'default';
  });
  if (!isDryRun) for (const name of taken) setConfigValue(config, name, JSON.stringify(found.settings[name]));
  return { taken, told: found.told };
}

interface Taking {
  client: Client;
  converted: { readonly [Part in keyof ImportedParts]: readonly ImportedParts[Part][] };
  options: Parameters<TakeImported<never>>[2];
}

/** By the feature that has such things; without it they stay behind. */
async function takePart<Part extends keyof ImportedParts>(
  { features }: CommandContext,
  part: Part,
  { client, converted, options }: Taking,
): Promise<TakenImport> {
  const none: TakenImport = { taken: 0, unchanged: 0, refused: [], leftOut: [] };
  const items: readonly ImportedParts[Part][] = converted[part];
  if (items.length === 0) return none;
  const take = await features.find(({ imports }) => imports?.[part] !== undefined)?.imports?.[part]?.();
  if (take === undefined) return { ...none, leftOut: [{ what: part, why: 'this program has no place for them' }] };
  return take(client, items, options);
}
