import { foldAncestors } from '../../engine/packets/fold-ancestors.ts';
import { renderResume } from '../../engine/packets/render-resume.ts';
import { renderShow } from '../../engine/packets/render-show.ts';
import { cleanText } from '../../mcp/clean-text.ts';
import { EngineError } from '../../model/errors.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import type { PacketSummary, StoredPacket } from '../../model/packet-record.ts';
import { flag, text } from '../../verbs/field.ts';
import { definePacketTool } from './define-packet-tool.ts';
import { IN_TEAM, type InTeam, ONE_PACKET, type OnePacket, whereOf } from './team-argument.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const ID_COLUMNS = 28;
const TIME_COLUMNS = 25;

const packetOutput = { id: { type: 'string' }, packet: { type: 'object' }, text: { type: 'string' } };

interface ListArguments extends InTeam {
  limit?: unknown;
  search?: string;
  project?: string;
  tag?: string;
  cursor?: string;
}

export const ls = definePacketTool<ListArguments>({
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
  output: {
    packets: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, created_at: { type: 'string' }, goal: { type: 'string' } },
      },
    },
    cursor: { type: 'string' },
  },
  run: async (context, { limit, team, ...wanted }) => {
    const caller = await whereOf(context, team);
    const page = await context.engine.listPackets(caller, { limit: readLimit(limit), ...wanted });
    const packets = page.items.map(({ id, createdAt, goal }) => ({ id, created_at: createdAt, goal }));
    return {
      structured: { packets, cursor: page.cursor ?? undefined },
      text: cleanText(showTable(page.items, page.cursor)),
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
  const lines = [row('ID', 'CREATED', 'GOAL'), ...packets.map(({ id, createdAt, goal }) => row(id, createdAt, goal))];
  return [...lines, ...(cursor === null ? [] : [`More with cursor ${cursor}`])].join('\n');
}

export const show = definePacketTool<OnePacket>({
  name: 'show',
  title: 'Show a packet',
  text: 'One packet at a glance.',
  action: 'read',
  listed: ONE_PACKET,
  output: packetOutput,
  run: async (context, { id, team }) => {
    const stored = await context.engine.getPacket(await whereOf(context, team), id);
    const text = cleanText(renderShow(stored.packet, publicationOf(stored, context.engine.publicUrl())));
    return { structured: { id: stored.packet.id, packet: stored.packet, text }, text };
  },
});

function publicationOf({ published }: StoredPacket, url: string | null): { publishedAt?: string; publicUrl?: string } {
  if (published === null) return {};
  return {
    publishedAt: toIsoSeconds(published.at),
    publicUrl: `${url ?? ''}/p/${published.slug}`,
  };
}

export const pull = definePacketTool<OnePacket>({
  name: 'pull',
  title: 'Pull a packet',
  text: 'One packet as JSON.',
  action: 'read',
  listed: ONE_PACKET,
  output: { id: { type: 'string' }, packet: { type: 'object' } },
  run: async (context, { id, team }) => {
    const { packet, canonical } = await context.engine.getPacket(await whereOf(context, team), id);
    return { structured: { id: packet.id, packet }, text: canonical };
  },
});

interface ResumeArguments extends InTeam {
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
  output: { id: { type: 'string' }, text: { type: 'string' } },
  run: async (context, { id, project, team, with_ancestors }) => {
    const caller = await whereOf(context, team);
    const chosen = id ?? (await context.engine.listPackets(caller, { limit: 1, project })).items[0]?.id;
    if (chosen === undefined) throw noPacket(project);
    const { packet } = await context.engine.getPacket(caller, chosen);
    const older = with_ancestors === true ? (await context.engine.listAncestors(caller, chosen)).packets.slice(1) : [];
    const folded = foldAncestors(
      packet,
      older.map((one) => one.packet),
    );
    const text = cleanText(renderResume(folded));
    return { structured: { id: packet.id, text }, text };
  },
});

function noPacket(project: string | undefined): EngineError {
  return new EngineError(
    'not_found',
    project ? `there is no packet of the project "${project}"` : 'there are no packets yet',
    {
      hint: 'ls shows what there is; save makes one.',
    },
  );
}
