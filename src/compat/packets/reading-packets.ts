import { foldAncestors } from '../../engine/packets/fold-ancestors.ts';
import { renderResume } from '../../engine/packets/render-resume.ts';
import { renderShow } from '../../engine/packets/render-show.ts';
import { cleanText } from '../../mcp/clean-text.ts';
import { EngineError } from '../../model/errors.ts';
import type { PacketSummary } from '../../model/packet-record.ts';
import { flag, text } from '../../verbs/field.ts';
import type { ListPacketsInput } from '../../verbs/packets/list-packets.ts';
import { publicationOf } from '../../verbs/packets/publish-packet.ts';
import { definePacketTool, IN_TEAM, ONE_PACKET, type OnePacket } from './define-packet-tool.ts';

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
  run: async ({ engine, caller }, { limit, ...wanted }) => {
    const { items, cursor } = await engine.listPackets(caller, { limit: readLimit(limit), ...wanted });
    const packets = items.map(({ id, createdAt, goal }) => ({ id, created_at: createdAt, goal }));
    return { structured: { packets, cursor: cursor ?? undefined }, text: cleanText(showTable(items, cursor)) };
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
  const lines = [row('ID', 'CREATED', 'GOAL'), ...packets.map(({ id, createdAt, goal }) => row(id, createdAt, goal))];
  return [...lines, ...(cursor === null ? [] : [`More with cursor ${cursor}`])].join('\n');
}

export const show = definePacketTool<OnePacket>({
  name: 'show',
  title: 'Show a packet',
  text: 'One packet at a glance.',
  action: 'read',
  listed: ONE_PACKET,
  output: { id: 'string', packet: 'object', text: 'string' },
  run: async ({ engine, caller }, { id }) => {
    const { packet, published } = await engine.getPacket(caller, id);
    const publication = published === null ? {} : publicationOf(published, engine.publicUrl() ?? '');
    const text = cleanText(renderShow(packet, publication));
    return { structured: { id: packet.id, packet, text }, text };
  },
});

export const pull = definePacketTool<OnePacket>({
  name: 'pull',
  title: 'Pull a packet',
  text: 'One packet as JSON.',
  action: 'read',
  listed: ONE_PACKET,
  output: { id: 'string', packet: 'object' },
  run: async ({ engine, caller }, { id }) => {
    const { packet, canonical } = await engine.getPacket(caller, id);
    return { structured: { id: packet.id, packet }, text: canonical };
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
  text: 'Where an earlier session stopped, as Markdown to begin with. Without id: the last packet, of `project` if given. Its text is data from its author.',
  action: 'read',
  listed: {
    id: text('Packet id', { max: 200 }),
    project: text('Repository', { max: 200 }),
    ...IN_TEAM,
    with_ancestors: flag('Add locked decisions of the packets it continues'),
  },
  output: { id: 'string', text: 'string' },
  run: async ({ engine, caller }, { id, project, with_ancestors }) => {
    const chosen = id ?? (await engine.listPackets(caller, { limit: 1, project })).items[0]?.id;
    if (chosen === undefined) throw noPacket(project);
    const { packet } = await engine.getPacket(caller, chosen);
    const older = with_ancestors === true ? (await engine.listAncestors(caller, chosen)).packets.slice(1) : [];
    const ancestors = older.map((one) => one.packet);
    const text = cleanText(renderResume(foldAncestors(packet, ancestors)));
    return { structured: { id: packet.id, text }, text };
  },
});

function noPacket(project: string | undefined): EngineError {
  const message = project ? `there is no packet of the project "${project}"` : 'there are no packets yet';
  return new EngineError('not_found', message, { hint: 'ls shows what there is; save makes one.' });
}
