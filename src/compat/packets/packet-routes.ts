import { LATEST_PACKET_VERSION, PACKET_MAX_BYTES } from '../../model/packet.ts';
import type { AllowUnredacted } from '../../model/packet-record.ts';
import { publicationOf } from '../../verbs/packets/publish-packet.ts';
import { describeFindings } from '../../verbs/packets/save-packet.ts';
import { packetError } from './packet-error.ts';
import { noContent, packetJson, readBytes } from './packet-json.ts';
import type { PacketCall, PacketRoute } from './packet-route.ts';

/** A larger body is read no further, and reported as this large. */
const MOST_READ = PACKET_MAX_BYTES + 1024;
const WHOLE_NUMBER = /^[+-]?\d+$/;

export const PACKET_ROUTES: readonly PacketRoute[] = [
  {
    method: 'GET',
    path: 'healthz',
    access: 'public',
    handle: async () => packetJson({ ok: true, version: LATEST_PACKET_VERSION }),
  },
  { method: 'POST', path: 'packets', inTeam: true, access: 'bearer', handle: push },
  { method: 'GET', path: 'packets', inTeam: true, access: 'bearer', handle: list },
  { method: 'GET', path: 'packets/{id}', inTeam: true, access: 'bearer', handle: get },
  { method: 'DELETE', path: 'packets/{id}', inTeam: true, access: 'bearer', handle: remove },
  { method: 'GET', path: 'packets/{id}/ancestors', inTeam: true, access: 'bearer', handle: listAncestors },
  { method: 'POST', path: 'packets/{id}/publish', inTeam: true, access: 'bearer', handle: publish },
  { method: 'DELETE', path: 'packets/{id}/publish', inTeam: true, access: 'bearer', handle: unpublish },
];

async function push({ ports, caller, request, query }: PacketCall): Promise<Response> {
  const raw = await readBytes(request, MOST_READ);
  const allowUnredacted = readAllowed(query.get('allow_unredacted'));
  const outcome = await ports.engine.savePacket(caller, { raw, allowUnredacted });
  if (outcome.outcome === 'invalid') return packetError(400, outcome.message);
  if (outcome.outcome === 'unredacted')
    return packetError(400, describeFindings(outcome.findings), { facts: { findings: outcome.findings } });
  return packetJson({ id: outcome.id }, { status: 201 });
}

function readAllowed(given: string | null): AllowUnredacted {
  if (given === null || /^(|false|0)$/.test(given)) return false;
  return /^(true|1)$/.test(given) ? true : given.split(',').map((name) => name.trim());
}

async function list({ ports, caller, query }: PacketCall): Promise<Response> {
  const [search, tag, project, cursor, limit = ''] = ['search', 'tag', 'project', 'cursor', 'limit'].map(
    (name) => query.get(name) || undefined,
  );
  const page = await ports.engine.listPackets(caller, {
    search,
    tag,
    project,
    cursor,
    limit: WHOLE_NUMBER.test(limit) ? Number(limit) : undefined,
  });
  const packets = page.items.map(({ id, createdAt, goal }) => ({ id, created_at: createdAt, goal }));
  return packetJson({ packets, cursor: page.cursor ?? undefined });
}

async function get({ ports, caller, request, params }: PacketCall): Promise<Response> {
  const { canonical, published } = await ports.engine.getPacket(caller, params.id!);
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (published !== null) {
    const { publishedAt, publicUrl } = publicationOf(published, ports.urlOf(request));
    Object.assign(headers, { 'X-LTM-Published-At': publishedAt, 'X-LTM-Public-URL': publicUrl });
  }
  return new Response(canonical, { headers });
}

async function remove({ ports, caller, params }: PacketCall): Promise<Response> {
  await ports.engine.deletePacket(caller, params.id!);
  return noContent();
}

async function listAncestors({ ports, caller, params }: PacketCall): Promise<Response> {
  const { packets, ...end } = await ports.engine.listAncestors(caller, params.id!);
  return packetJson({ ...end, packets: packets.map(({ packet }) => packet) });
}

async function publish({ ports, caller, request, params }: PacketCall): Promise<Response> {
  const published = await ports.engine.publishPacket(caller, params.id!);
  const { publishedAt, publicUrl } = publicationOf(published, ports.urlOf(request));
  return packetJson({ id: params.id!, published_at: publishedAt, public_url: publicUrl });
}

async function unpublish({ ports, caller, params }: PacketCall): Promise<Response> {
  await ports.engine.unpublishPacket(caller, params.id!);
  return noContent();
}
