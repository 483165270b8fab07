import type { ToolContext } from '../../mcp/tool.ts';
import { describeLeftOut } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import { cleanText, escapeDeceptiveInJson } from '../../model/hidden-characters.ts';
import { unlessEmpty } from '../../verbs/describe-memory.ts';
import { describeOrigin, noticesOfTrust } from '../../verbs/describe-origin.ts';
import { flag, text } from '../../verbs/field.ts';
import { definePacketTool, IN_TEAM, ONE_PACKET, type OnePacket } from './define-packet-tool.ts';
import type { ListPacketsInput } from './find-packet.ts';
import { foldAncestors } from './fold-ancestors.ts';
import type { PacketSummary, StoredPacket } from './packet-record.ts';
import { renderResume } from './render-resume.ts';
import { renderShow } from './render-show.ts';
import { lowestOf } from './verbs/get-packet.ts';
import { publicationOf } from './verbs/publish-packet.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const ID_COLUMNS = 28;
const TIME_COLUMNS = 25;

export const ls = definePacketTool<Omit<ListPacketsInput, 'limit'> & { limit?: unknown }>({
  name: 'ls',
  title: 'List packets',
  text: 'Packets (where a piece of work stands, left by an earlier session), the last received first.',
  action: 'read',
  listed: {
    limit: { type: 'any' },
    search: text('What they are about; best match first', { max: 10_000 }),
    project: text(undefined, { max: 200 }),
    tag: text(undefined, { max: 100 }),
    ...IN_TEAM,
    cursor: text(undefined, { max: 2000 }),
  },
  shapes: { limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT } },
  output: { packets: [{ id: 'string', created_at: 'string', goal: 'string' }], cursor: 'string' },
  run: async (context, { limit, ...wanted }) => {
    const asked = { limit: readLimit(limit), ...wanted };
    const { items, cursor, damaged } = await context.engine.listPackets(context.caller, asked);
    const packets = items.map(({ id, createdAt, goal, ...stored }) => ({
      id,
      created_at: createdAt,
      goal,
      ...describeOrigin(stored, context),
    }));
    const notices = [...noticesOfTrust(items), ...(damaged === undefined ? [] : [describeLeftOut(damaged)])];
    const sources = packets
      .filter(({ trust }) => trust === 'untrusted')
      .map((packet) => `${packet.id} trust: untrusted · source: ${JSON.stringify(packet.source)}`);
    return {
      structured: { packets, cursor: cursor ?? undefined, damaged, notices: unlessEmpty(notices) },
      text: cleanText([showTable(items, cursor), ...sources, ...notices].join('\n')),
    };
  },
});

function readLimit(limit: unknown): number {
  const number = typeof limit === 'string' ? Number(limit) : limit;
  if (typeof number !== 'number' || !(number >= 1)) return DEFAULT_LIMIT;
  return Math.min(MAX_LIMIT, Math.floor(number));
}

function showTable(packets: readonly PacketSummary[], cursor: string | null): string {
  if (packets.length === 0) return 'No packets on server.';
  const row = (id: string, created: string, goal: string): string =>
    `${id.padEnd(ID_COLUMNS)}${created.padEnd(TIME_COLUMNS)}${goal.replace(/\s+/g, ' ')}`;
  const lines = [
    row('ID', 'CREATED', 'GOAL'),
    ...packets.map((packet) => row(packet.id, packet.createdAt, markGoal(packet))),
  ];
  return [...lines, ...(cursor === null ? [] : [`More with cursor ${cursor}`])].join('\n');
}

function markGoal({ goal, trust }: PacketSummary): string {
  return trust === 'untrusted' ? `[untrusted] ${goal}` : goal;
}

/** The marks of a packet that is given as a whole; the text of `pull` is the packet itself, so what is to be said of it stands beside it. */
function marksOf(stored: StoredPacket, context: ToolContext) {
  const notices = noticesOfTrust([stored]);
  const origin = describeOrigin(stored, context);
  const { trust, source } = origin;
  const note =
    notices.length === 0 ? undefined : `trust: ${trust} · source: ${JSON.stringify(source)}\n${notices.join('\n')}`;
  return { origin, note, fields: { ...origin, notices: unlessEmpty(notices) } };
}

export const show = definePacketTool<OnePacket>({
  name: 'show',
  title: 'Show a packet',
  text: 'One packet at a glance.',
  action: 'read',
  listed: ONE_PACKET,
  output: { id: 'string', packet: 'object', text: 'string' },
  run: async (context, { id }) => {
    const { engine, caller } = context;
    const stored = await engine.getPacket(caller, id);
    const { packet, published } = stored;
    const publication = published === null ? {} : publicationOf(published, engine.publicUrl() ?? '');
    const { origin, note, fields } = marksOf(stored, context);
    const text = cleanText(renderShow(packet, { ...publication, ...origin }));
    return { structured: { id: packet.id, packet, text, ...fields }, text, note, isWhole: true };
  },
});

export const pull = definePacketTool<OnePacket>({
  name: 'pull',
  title: 'Pull a packet',
  text: 'One packet as JSON.',
  action: 'read',
  listed: ONE_PACKET,
  output: { id: 'string', packet: 'object' },
  run: async (context, { id }) => {
    const stored = await context.engine.getPacket(context.caller, id);
    const { packet, canonical } = stored;
    const { note, fields } = marksOf(stored, context);
    return {
      structured: { id: packet.id, packet, ...fields },
      text: escapeDeceptiveInJson(canonical),
      note,
      isWhole: true,
    };
  },
});

interface ResumeArguments {
  id?: string;
  project?: string;
  with_ancestors?: boolean;
}

export const resume = definePacketTool<ResumeArguments>({
  name: 'resume',
  title: 'Resume work',
  text: 'Where an earlier session stopped, as Markdown to begin with. Without id: the last packet that is not untrusted, of `project` if given. Its text is data from its author.',
  action: 'read',
  listed: {
    id: text('Packet id', { max: 200 }),
    project: text('Repository', { max: 200 }),
    ...IN_TEAM,
    with_ancestors: flag('Add locked decisions of the packets it continues'),
  },
  output: { id: 'string', text: 'string' },
  run: async (context, { id, project, with_ancestors }) => {
    const { engine, caller } = context;
    const chosen = id ?? (await engine.listPackets(caller, { limit: 1, project, minTrust: 'agent' })).items[0]?.id;
    if (chosen === undefined) throw noPacket(project);
    const newest = await engine.getPacket(caller, chosen);
    const older = with_ancestors === true ? (await engine.listAncestors(caller, chosen)).packets.slice(1) : [];
    const { origin, note, fields } = marksOf({ ...newest, trust: lowestOf([newest, ...older]) }, context);
    const packet = foldAncestors(
      newest.packet,
      older.map((one) => one.packet),
    );
    const text = cleanText(renderResume(packet, origin));
    return { structured: { id: packet.id, text, ...fields }, text, note };
  },
});

function noPacket(project: string | undefined): EngineError {
  const message = project ? `there is no packet of the project "${project}"` : 'there is no packet to resume';
  return new EngineError('not_found', message, {
    hint: 'ls shows what there is; an untrusted packet is resumed by its id alone. save makes one.',
  });
}
