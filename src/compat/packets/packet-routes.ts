import type { Caller } from '../../model/caller.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import { LATEST_PACKET_VERSION, PACKET_MAX_BYTES } from '../../model/packet.ts';
import {
  type AllowUnredacted,
  describeFinding,
  type PacketFinding,
  type StoredPacket,
} from '../../model/packet-record.ts';
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
  { method: 'POST', path: 'packets', access: 'bearer', handle: push },
  { method: 'GET', path: 'packets', access: 'bearer', handle: list },
  { method: 'GET', path: 'packets/{id}', access: 'bearer', handle: get },
  { method: 'DELETE', path: 'packets/{id}', access: 'bearer', handle: remove },
  { method: 'GET', path: 'packets/{id}/ancestors', access: 'bearer', handle: listAncestors },
  { method: 'POST', path: 'packets/{id}/publish', access: 'bearer', handle: publish },
  { method: 'DELETE', path: 'packets/{id}/publish', access: 'bearer', handle: unpublish },
];

/** The team is looked up before the body is read: to somebody outside of it, it does not matter what they sent. */
async function whereOf({ ports, caller, query }: PacketCall): Promise<Caller> {
  const team = query.get('team');
  return team === null || team === '' ? caller : ports.engine.enterTeam(caller, team);
}

async function push(call: PacketCall): Promise<Response> {
  const caller = await whereOf(call);
  const raw = await readBytes(call.request, MOST_READ);
  const outcome = await call.ports.engine.savePacket(caller, {
    raw,
    allowUnredacted: readAllowed(call.query.get('allow_unredacted')),
  });
  if (outcome.outcome === 'invalid') return packetError(400, outcome.message);
  if (outcome.outcome === 'unredacted')
    return packetError(400, describeFindings(outcome.findings), { facts: { findings: outcome.findings } });
  return packetJson({ id: outcome.id }, { status: 201 });
}

function readAllowed(given: string | null): AllowUnredacted {
  if (given === null || /^(|false|0)$/.test(given)) return false;
  return /^(true|1)$/.test(given) ? true : given.split(',').map((name) => name.trim());
}

function describeFindings(findings: readonly PacketFinding[]): string {
  return ['redaction failed', ...findings.map((finding) => `  - ${describeFinding(finding)}`)].join('\n');
}

async function list(call: PacketCall): Promise<Response> {
  const caller = await whereOf(call);
  const [search, tag, project, cursor, limit] = ['search', 'tag', 'project', 'cursor', 'limit'].map(
    (name) => call.query.get(name) || undefined,
  );
  const page = await call.ports.engine.listPackets(caller, {
    ...(search !== undefined && { search }),
    ...(tag !== undefined && { tag }),
    ...(project !== undefined && { project }),
    ...(cursor !== undefined && { cursor }),
    ...(limit !== undefined && WHOLE_NUMBER.test(limit) && { limit: Number(limit) }),
  });
  const packets = page.items.map(({ id, createdAt, goal }) => ({ id, created_at: createdAt, goal }));
  return packetJson({ packets, ...(page.cursor !== null && { cursor: page.cursor }) });
}

async function get(call: PacketCall): Promise<Response> {
  const stored = await call.ports.engine.getPacket(await whereOf(call), call.params.id!);
  return new Response(stored.canonical, {
    headers: { 'Content-Type': 'application/json', ...publicationHeaders(call, stored) },
  });
}

function publicationHeaders({ ports, request }: PacketCall, { published }: StoredPacket): Record<string, string> {
  if (published === null) return {};
  return {
    'X-LTM-Published-At': toIsoSeconds(published.at),
    'X-LTM-Public-URL': `${ports.urlOf(request)}/p/${published.slug}`,
  };
}

async function remove(call: PacketCall): Promise<Response> {
  await call.ports.engine.deletePacket(await whereOf(call), call.params.id!);
  return noContent();
}

async function listAncestors(call: PacketCall): Promise<Response> {
  const { packets, missing, circular } = await call.ports.engine.listAncestors(await whereOf(call), call.params.id!);
  return packetJson({ circular, missing, packets: packets.map(({ canonical }) => JSON.parse(canonical) as object) });
}

async function publish(call: PacketCall): Promise<Response> {
  const id = call.params.id!;
  const { slug, at } = await call.ports.engine.publishPacket(await whereOf(call), id);
  return packetJson({ id, published_at: toIsoSeconds(at), public_url: `${call.ports.urlOf(call.request)}/p/${slug}` });
}

async function unpublish(call: PacketCall): Promise<Response> {
  await call.ports.engine.unpublishPacket(await whereOf(call), call.params.id!);
  return noContent();
}
