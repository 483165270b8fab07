import { LATEST_PACKET_VERSION, PACKET_MAX_BYTES } from '../../features/packets/packet.ts';
import { lowestOf } from '../../features/packets/verbs/get-packet.ts';
import { publicationOf } from '../../features/packets/verbs/publish-packet.ts';
import { describeFindings } from '../../features/packets/verbs/save-packet.ts';
import { TRUST_TIERS } from '../../model/record.ts';
import type { AllowUnredacted } from '../../privacy/field-finding.ts';
import { describeOrigin } from '../../verbs/describe-origin.ts';
import { packetError, packetJson, readBytes } from './packet-json.ts';
import type { PacketHandler, PacketRoute } from './packet-route.ts';

/** A larger body is read no further, and reported as this large. */
const MOST_READ = PACKET_MAX_BYTES + 1024;
const WHOLE_NUMBER = /^[+-]?\d+$/;

const push: PacketHandler = async ({ engine, caller, request, query }) => {
  const raw = await readBytes(request, MOST_READ);
  const allowUnredacted = readAllowed(query.get('allow_unredacted'));
  const outcome = await engine.savePacket(caller, { raw, allowUnredacted });
  if (outcome.outcome === 'invalid') return packetError(400, outcome.message);
  if (outcome.outcome === 'unredacted')
    return packetError(400, describeFindings(outcome.findings), { facts: { findings: outcome.findings } });
  return packetJson({ id: outcome.id }, { status: 201 });
};

function readAllowed(given: string | null): AllowUnredacted {
  if (given === null || /^(|false|0)$/.test(given)) return false;
  return /^(true|1)$/.test(given) ? true : given.split(',').map((name) => name.trim());
}

const list: PacketHandler = async ({ engine, caller, query }) => {
  const [search, tag, project, cursor, size = '', least] = [
    ...(['search', 'tag', 'project', 'cursor', 'limit', 'min_trust'] as const),
  ].map((name) => query.get(name) || undefined);
  const minTrust = TRUST_TIERS.find((tier) => tier === least);
  const limit = WHOLE_NUMBER.test(size) ? Number(size) : undefined;
  const page = await engine.listPackets(caller, { search, tag, project, minTrust, cursor, limit });
  const packets = page.items.map(({ id, createdAt, goal }) => ({ id, created_at: createdAt, goal }));
  return { packets, cursor: page.cursor ?? undefined, damaged: page.damaged };
};

const get: PacketHandler = async ({ engine, caller, request, params, urlOf }) => {
  const { canonical, published, ...stored } = await engine.getPacket(caller, params.id!);
  const { trust, source } = describeOrigin(stored, { caller, now: stored.receivedAt });
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-LTM-Trust': trust,
    'X-LTM-Source': encodeURIComponent(source),
  };
  if (published !== null) {
    const { publishedAt, publicUrl } = publicationOf(published, urlOf(request));
    Object.assign(headers, { 'X-LTM-Published-At': publishedAt, 'X-LTM-Public-URL': publicUrl });
  }
  return new Response(canonical, { headers });
};

const listAncestors: PacketHandler = async ({ engine, caller, params }) => {
  const { packets, ...end } = await engine.listAncestors(caller, params.id!);
  return { ...end, packets: packets.map(({ packet }) => packet), trust: lowestOf(packets) };
};

const publish: PacketHandler = async ({ engine, caller, request, params, urlOf }) => {
  const { publishedAt, publicUrl } = publicationOf(await engine.publishPacket(caller, params.id!), urlOf(request));
  return { id: params.id!, published_at: publishedAt, public_url: publicUrl };
};

const unpublish: PacketHandler = async ({ engine, caller, params }) => {
  await engine.unpublishPacket(caller, params.id!);
};
const remove: PacketHandler = ({ engine, caller, params }) => engine.deletePacket(caller, params.id!);
const check = async (): Promise<object> => ({ ok: true, version: LATEST_PACKET_VERSION });

export const PACKET_ROUTES: readonly PacketRoute[] = [
  { method: 'GET', path: 'healthz', access: 'public', handle: check },
  { method: 'POST', path: 'packets', inTeam: true, handle: push },
  { method: 'GET', path: 'packets', inTeam: true, handle: list },
  { method: 'GET', path: 'packets/{id}', inTeam: true, handle: get },
  { method: 'DELETE', path: 'packets/{id}', inTeam: true, handle: remove },
  { method: 'GET', path: 'packets/{id}/ancestors', inTeam: true, handle: listAncestors },
  { method: 'POST', path: 'packets/{id}/publish', inTeam: true, handle: publish },
  { method: 'DELETE', path: 'packets/{id}/publish', inTeam: true, handle: unpublish },
];
