import { statSync } from 'node:fs';
import type { CommandContext } from '../../../cli/command.ts';
import { createProgress } from '../../../cli/progress.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { canonicalJson } from '../../../model/canonical-json.ts';
import { EngineError } from '../../../model/errors.ts';
import { loadConfig } from '../../../settings/config.ts';
import { setConfigValue } from '../../../settings/config-file.ts';
import type { Client } from '../../../verbs/client.ts';
import type { Packet } from '../../packets/packet.ts';
import type { ForeignSettings, Importer, Place } from '../importers/imported.ts';
import type { Converted } from '../importers/make-lines.ts';
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
  const { findImporter, IMPORTERS, lookAt, recogniseImporter } = await import('../importers/importer-table.ts');
  const place = lookAt(path);
  if (from !== undefined) return { importer: findImporter(from), place };
  if (OWN_EXPORT.test(place.head)) return null;
  const importer = await recogniseImporter(place);
  if (importer !== null) return { importer, place };
  if (!place.isFolder && place.tables.size === 0) return null;
  const { findNoteFolders } = await import('../importers/basic-memory.ts');
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
  const { convertImported } = await import('../importers/make-lines.ts');
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
  const packets = await savePackets(client, converted, isDryRun);
  const events = await recordAll(client, converted, isDryRun);
  const transcripts = await sendTranscripts(client, converted, { isDryRun, progress });
  const settings = takeSettings(context, importer.readSettings?.(place), isDryRun);
  if (report.records > 0 && !isDryRun) {
    const { prepareSearch } = await import('./exchange-records.ts');
    await prepareSearch(context, report.records, progress);
  }
  progress.end();
  const outcome = {
    system: importer.name,
    dryRun: isDryRun,
    found: converted.memories.size + converted.packets.length + converted.events.length + converted.transcripts.length,
    imported: report.records,
    updated: report.updated,
    rejected: report.rejected,
    unchanged: report.unchanged + events.repeated + packets.unchanged + transcripts.unchanged,
    relations: report.relations,
    packets: packets.saved,
    events: events.recorded,
    transcripts: transcripts.sent,
    redacted: report.redacted,
    conflicts: [...report.conflicts, ...packets.refused],
    leftOut: [...converted.leftOut, ...transcripts.leftOut],
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
  const config = loadConfig(sources);
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

const EVENTS_AT_ONCE = 500;

/** Each is recorded once, however often it is imported. */
async function recordAll(
  client: Client,
  { events }: Converted,
  isDryRun: boolean,
): Promise<{ recorded: number; repeated: number }> {
  if (isDryRun) return { recorded: events.length, repeated: 0 };
  const sum = { recorded: 0, repeated: 0 };
  for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
    const { recorded, repeated } = await client.recordEvents({ events: events.slice(at, at + EVENTS_AT_ONCE) });
    sum.recorded += recorded;
    sum.repeated += repeated;
  }
  return sum;
}

/** Each into the workspace it was in; secrets are replaced as they are in an upload. One that cannot be read is named, and holds up no other. */
async function sendTranscripts(
  client: Client,
  { transcripts }: Converted,
  { isDryRun, progress }: { isDryRun: boolean; progress: ReturnType<typeof createProgress> },
): Promise<{ sent: number; unchanged: number; leftOut: Converted['leftOut'] }> {
  const outcome = { sent: 0, unchanged: 0, leftOut: [] as Converted['leftOut'] };
  if (isDryRun) return { ...outcome, sent: transcripts.length };
  const { sendTranscript } = await import('../../workspaces/transcripts/send-transcript.ts');
  for (const [i, { machine, tool, project, session, file, startedAt, source }] of transcripts.entries()) {
    progress.show('transcripts', i, transcripts.length);
    try {
      const { workspaceId: workspace, writeToken, redact } = await client.registerWorkspace({ machine, tool, project });
      const known = { source: source ?? undefined, startedAt: startedAt ?? undefined };
      const { status } = await sendTranscript({ client, workspace, writeToken, session, file, redact, ...known });
      outcome[status === 'duplicate' ? 'unchanged' : 'sent']++;
    } catch (error) {
      const isOwn = error instanceof EngineError || /^Z_/.test((error as NodeJS.ErrnoException).code ?? '');
      if (!isOwn || (error instanceof EngineError && ['busy', 'unauthorized', 'forbidden'].includes(error.code)))
        throw error;
      outcome.leftOut.push({ what: `the transcript ${session}`, why: (error as Error).message });
    }
  }
  return outcome;
}

async function savePackets(
  client: Client,
  { packets }: Converted,
  isDryRun: boolean,
): Promise<{ saved: number; unchanged: number; refused: string[] }> {
  const outcome = { saved: 0, unchanged: 0, refused: [] as string[] };
  const { inspectPacket } = await import('../../packets/packet-forms.ts');
  const known = packets.length === 0 ? new Set() : await listPacketIds(client);
  for (const { text } of packets) {
    const raw = new TextEncoder().encode(text);
    const { packet, problem, findings } = inspectPacket(raw, false);
    const why = problem ?? (findings.length > 0 ? 'it seems to contain secrets or private paths' : null);
    if (why !== null) outcome.refused.push(`packet ${packet?.id ?? '(unreadable)'}: ${why}`);
    else {
      const isThere = packet !== null && known.has(packet.id) && (await isSamePacket(client, packet));
      if (!isThere && !isDryRun) await client.savePacket({ raw, allowUnredacted: false });
      outcome[isThere ? 'unchanged' : 'saved']++;
    }
  }
  return outcome;
}

const PACKETS_AT_ONCE = 500;

async function listPacketIds(client: Client): Promise<Set<string>> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await client.listPackets({ limit: PACKETS_AT_ONCE, cursor });
    for (const { id } of page.packets) ids.add(id);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

async function isSamePacket(client: Client, packet: Packet): Promise<boolean> {
  const there = (await client.getPacket({ id: packet.id })).packet;
  return canonicalJson(there) === canonicalJson(packet);
}
