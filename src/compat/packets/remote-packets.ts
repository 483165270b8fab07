import { codeOfStatus } from '../../client/read-problem.ts';
import { pathSegment } from '../../client/remote-client.ts';
import type { ServerClient } from '../../client/server-client.ts';
import type { Packet } from '../../features/packets/packet.ts';
import { parsePacket } from '../../features/packets/parse-packet.ts';
import { type Ancestors, type GivenPacket, needPacket } from '../../features/packets/verbs/get-packet.ts';
import { EngineError } from '../../model/errors.ts';
import { isObject, parseJson } from '../../model/json-text.ts';
import { TRUST_TIERS } from '../../model/record.ts';
import type { Client } from '../../verbs/client.ts';

type PacketServer = Pick<ServerClient, 'host' | 'fetch'>;
type PacketVerb = Extract<keyof Client, `${string}Packet${string}` | 'listAncestors'>;

const MAX_LENGTH = 200;
const MAX_SHOWN = 2000;

/** The packet verbs on any server of the packet protocol, by its own API. */
export function createRemotePackets(server: PacketServer, team?: string): Pick<Client, PacketVerb> {
  const path = (below: string, said: object = {}): string => makePath(below, { team, ...said });
  const pathOf = (id: string, below = ''): string => path(`/${pathSegment(id)}${below}`);
  return {
    async savePacket({ raw, allowUnredacted }) {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', body: raw, headers };
      const { id } = await ask(server, path('', { allow_unredacted: allowUnredacted }), init);
      if (typeof id !== 'string') throw notPackets();
      return { id };
    },
    async listPackets({ minTrust, ...input }) {
      const { packets, cursor, damaged } = await ask(server, path('', { ...input, min_trust: minTrust }));
      return {
        packets: needList<Record<string, string>>(packets).map(({ id = '', created_at = '', goal = '' }) => {
          return { id, createdAt: created_at, goal };
        }),
        cursor: typeof cursor === 'string' ? cursor : null,
        ...(damaged !== undefined && { damaged: needList<string>(damaged) }),
      };
    },
    getPacket: ({ id }) => fetchPacket(server, pathOf(id)),
    listAncestors: ({ id }) => fetchAncestors(server, id, pathOf),
    async deletePacket({ id }) {
      await call(server, pathOf(id), { method: 'DELETE' });
    },
    async publishPacket({ id }) {
      const answer = await ask(server, pathOf(id, '/publish'), { method: 'POST' });
      const { public_url, published_at } = answer as { public_url?: string; published_at?: string };
      return { id, publicUrl: public_url, publishedAt: published_at };
    },
    async unpublishPacket({ id }) {
      await call(server, pathOf(id, '/publish'), { method: 'DELETE' });
    },
  };
}

function makePath(below: string, said: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(said))
    if (value !== undefined && value !== false) query.set(name, String(value));
  return `/v1/packets${below}${query.size === 0 ? '' : `?${query}`}`;
}

async function fetchPacket(server: PacketServer, path: string): Promise<GivenPacket> {
  const response = await call(server, path);
  const canonical = await response.text();
  const publishedAt = response.headers.get('x-ltm-published-at') ?? undefined;
  const publicUrl = response.headers.get('x-ltm-public-url') ?? undefined;
  return { packet: readPacket(canonical), canonical, publishedAt, publicUrl, ...readOrigin(response.headers) };
}

/** Told by servers of this make. */
function readOrigin(headers: Headers): Pick<GivenPacket, 'trust' | 'source'> {
  const trust = TRUST_TIERS.find((tier) => tier === headers.get('x-ltm-trust'));
  const source = new URLSearchParams(`source=${headers.get('x-ltm-source') ?? ''}`).get('source');
  return trust === undefined || source === null || source === '' ? {} : { trust, source };
}

type PathOf = (id: string, below?: string) => string;

/** A server of another make has no address for that: then they are fetched one by one. */
async function fetchAncestors(server: PacketServer, id: string, pathOf: PathOf): Promise<Ancestors> {
  const response = await server.fetch(pathOf(id, '/ancestors'));
  if (!response.ok) return walkBack(server, id, pathOf);
  const { packets, missing, circular, trust } = readAnswer(await response.text()) as Partial<Ancestors>;
  return {
    packets: needList(packets).map((packet) => needPacket(readPacket(JSON.stringify(packet)))),
    missing: missing ?? null,
    circular: circular === true,
    trust: TRUST_TIERS.find((tier) => tier === trust),
  };
}

async function walkBack(server: PacketServer, id: string, pathOf: PathOf): Promise<Ancestors> {
  const packets = [needPacket((await fetchPacket(server, pathOf(id))).packet)];
  while (packets.length < MAX_LENGTH) {
    const parent = packets.at(-1)?.parent_id;
    if (parent === undefined) break;
    if (packets.some((packet) => packet.id === parent)) return { packets, missing: null, circular: true };
    const response = await server.fetch(pathOf(parent));
    if (!response.ok) return { packets, missing: parent, circular: false };
    packets.push(needPacket(readPacket(await response.text())));
  }
  return { packets, missing: null, circular: false };
}

/** Answers other than 2xx are errors, redirects too: what was sent was meant for this address alone. */
async function call(server: PacketServer, path: string, init?: RequestInit): Promise<Response> {
  const response = await server.fetch(path, init);
  const { ok, status } = response;
  if (ok) return response;
  const isRedirect = status >= 300 && status < 400;
  const body = (await response.text()).trim();
  const text = isRedirect
    ? `it sends to ${response.headers.get('location') ?? 'another address'}`
    : (readError(body) ?? body).slice(0, MAX_SHOWN);
  const code = status > 500 && status !== 503 ? 'internal' : codeOfStatus(status);
  throw new EngineError(code, `server returned ${status}: ${text}`, { hint: hintOf(status, server.host) });
}

async function ask(server: PacketServer, path: string, init?: RequestInit): Promise<Record<string, unknown>> {
  return readAnswer(await (await call(server, path, init)).text());
}

/** What is no JSON object did not come from a packet server. */
function readAnswer(body: string): Record<string, unknown> {
  const value = parseJson(body);
  if (!isObject(value)) throw notPackets();
  return value;
}

function needList<T>(value: unknown): readonly T[] {
  if (!Array.isArray(value)) throw notPackets();
  return value;
}

/** As the server gave it out: it is shown even where this program would not have taken it. */
function readPacket(body: string): Packet | null {
  const parsed = parsePacket(body, { anySize: true });
  return parsed.outcome === 'valid' ? parsed.packet : null;
}

function notPackets(): EngineError {
  return new EngineError('internal', 'The server did not answer like a packet server.', {
    hint: 'Check its URL with `ltm config get server`.',
  });
}

/** null for another server's page, which is shown as it came. */
function readError(body: string): string | null {
  const value = parseJson(body);
  return isObject(value) && typeof value.error === 'string' ? value.error : null;
}

function hintOf(status: number, host: string): string {
  if (status === 401) return `Sign in again: ltm auth ${host}`;
  if (status === 404) return '`ltm ls` shows your packets, `ltm teams ls` your teams.';
  if (status >= 300 && status < 400)
    return `The redirect was not followed, because your sign-in is only for ${host}. If the other server is right, run: ltm auth URL`;
  return `The answer came from ${host}.`;
}
