import assert from 'node:assert/strict';
import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import type { SpaceId } from '../../src/model/ids.ts';
import { makePacket } from '../make-packet.ts';
import type { TestApp, TestCall } from '../open-test-app.ts';
import type { Listeners } from './listen-in.ts';
import { canariesIn, canaryOf, pick, type Tenants, type TestCredential } from './tenants.ts';

interface Known {
  id: string;
  space: SpaceId;
}

interface Attempt {
  method: string;
  path: string;
  call?: TestCall;
  /** The record that would change. */
  target?: Known;
  onAnswer?: (body: string, isOk: boolean) => void;
}

const READS = [
  '/memories',
  '/memories?deleted=include',
  '/search?q=harvest',
  '/tags',
  '/projects',
  '/agents',
  '/types',
  '/stats',
  '/export',
  '/health',
  '/whoami',
  '/teams',
  '/tokens',
  '/grants',
  '/users',
  '/teams/tenant-1/members',
  '/teams/tenant-2/invites',
  '/changes',
  '/audit',
  '/audit?team=tenant-3',
];
const RESOURCES = ['memory://recent/50', 'memory://tags', 'memory://stats', 'memory://search/harvest'];
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };

export interface Trial {
  operations: number;
  random: Random;
  listeners: Listeners;
}

/** How often streams that a change of rights has ended are opened again. */
const RENEW_EVERY = 50;

/** Random people do random things through every door; whatever comes back is searched for marks of spaces that are not theirs. */
export async function tryDoors(
  app: TestApp,
  tenants: Tenants,
  { operations, random, listeners }: Trial,
): Promise<{ answers: number; seen: number }> {
  const [memories, packets]: [Known[], Known[]] = [[], []];
  let [answers, seen] = [0, 0];
  for (let i = 0; i < operations; i++) {
    if (random() < 0.05) await tenants.stir(random);
    if (i % RENEW_EVERY === 0) await listeners.renew();
    const who = pick(tenants.credentials, random);
    const attempt = random() < 0.25 ? write(i, who) : read(who);
    const response = await app.request(attempt.method, attempt.path, { token: who.value, ...attempt.call });
    const body = await response.text();
    const text = JSON.stringify([...response.headers]) + body;
    attempt.onAnswer?.(body, response.ok);
    const what = `operation ${i}: ${attempt.method} ${attempt.path} by ${who.person} (${who.what}): ${response.status}`;
    for (const space of canariesIn(text)) assert.ok(tenants.mayRead(who, space), `${what} shows what is in ${space}`);
    if (tenants.isSuspended(who.person)) assert.equal(response.status, 401, what);
    if (attempt.target !== undefined && response.ok)
      assert.ok(tenants.mayWrite(who, attempt.target.space), `${what} changed what is in ${attempt.target.space}`);
    assert.deepEqual(listeners.report().problems, [], what);
    answers++;
    seen += canariesIn(text).size;
  }
  return { answers, seen };

  /** A team by name or id in the address or a header, a foreign one as likely as an own one. */
  function inSomeSpace(
    who: TestCredential,
    path: string,
  ): { path: string; headers: Record<string, string>; space: SpaceId } {
    if (random() < 0.4) return { path, headers: {}, space: who.team ?? who.person };
    const team = pick(tenants.teams, random);
    const name = random() < 0.5 ? team : team.replace('team_', 'tenant-');
    if (random() < 0.5) return { path, headers: { 'x-ltm-team': name }, space: team };
    return { path: `${path}${path.includes('?') ? '&' : '?'}team=${name}`, headers: {}, space: team };
  }

  function read(who: TestCredential): Attempt {
    const known = memories.length === 0 ? 'x' : pick(memories, random).id;
    const choice = random();
    if (choice < 0.1) return readByRpc(who, known);
    if (choice < 0.4) {
      const { path, headers } = inSomeSpace(who, `/api/v1${pick(READS, random)}`);
      return { method: 'GET', path, call: { headers } };
    }
    if (choice < 0.6) {
      const { path, headers } = inSomeSpace(who, `/api/v1/memories/${known}${pick(['', '/versions'], random)}`);
      return { method: 'GET', path, call: { headers } };
    }
    if (choice < 0.7) {
      const packet = packets.length === 0 ? '' : `/${pick(packets, random).id}`;
      const team = pick(tenants.teams, random).replace('team_', 'tenant-');
      return {
        method: 'GET',
        path: pick(
          [`/v1/packets${packet}`, `/v1/packets?team=${team}`, '/v1/teams', `/v1/teams/${team}/members`],
          random,
        ),
      };
    }
    const tool = pick(
      [
        ['memory_search', { query: 'harvest' }],
        ['memory_list', {}],
        ['memory_get', { ids: [known] }],
        ['fetch', { id: known }],
        ['ls', {}],
        ['list_repos', {}],
      ] as const,
      random,
    );
    return callTool(who, tool[0], tool[1]);
  }

  function callTool(who: TestCredential, name: string, args: object): Attempt {
    const { path, headers } = inSomeSpace(who, '/mcp');
    const json = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const session = listeners.list.length === 0 ? '' : pick(listeners.list, random).messagesPath();
    // The answer travels on the stream, whoever holds it.
    if (session !== '' && random() < 0.3) return { method: 'POST', path: session, call: { json } };
    return { method: 'POST', path, call: { json, headers: { ...MCP_HEADERS, ...headers } } };
  }

  function readByRpc(who: TestCredential, known: string): Attempt {
    const { path, headers } = inSomeSpace(who, '/mcp');
    const uri = pick(
      [...RESOURCES, `memory://record/${known}`, `memory://tag/${canaryOf(pick(tenants.teams, random)).slice(0, 4)}`],
      random,
    );
    const json = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } };
    return { method: 'POST', path, call: { json, headers: { ...MCP_HEADERS, ...headers } } };
  }

  function write(n: number, who: TestCredential): Attempt {
    const target = memories.length === 0 ? undefined : pick(memories, random);
    const choice = random();
    if (target !== undefined && choice < 0.2)
      return { method: 'DELETE', ...addressed(who, `/api/v1/memories/${target.id}`), target };
    if (target !== undefined && choice < 0.25)
      return {
        method: 'POST',
        ...addressed(who, `/api/v1/memories/${target.id}/${pick(['restore', 'purge'], random)}`),
        target,
      };
    if (target !== undefined && choice < 0.4) {
      const { path, call } = addressed(who, `/api/v1/memories/${target.id}`);
      return { method: 'PATCH', path, call: { ...call, json: { quality: 0.9 } }, target };
    }
    return choice < 0.6 ? pushPacket(n, who) : storeMemory(n, who);
  }

  function addressed(who: TestCredential, plain: string): { path: string; call: TestCall } {
    const { path, headers } = inSomeSpace(who, plain);
    return { path, call: { headers } };
  }

  function storeMemory(n: number, who: TestCredential): Attempt {
    const { path, headers, space } = inSomeSpace(who, '/api/v1/memories');
    const mark = tenants.mayWrite(who, space) ? canaryOf(space) : 'nothing';
    const json = {
      content: `the harvest number ${n} of ${mark}`,
      tags: [mark],
      project: mark,
      agent: mark,
      on_duplicate: 'store',
      metadata: { mark },
    };
    return { method: 'POST', path, call: { json, headers }, onAnswer: remember(memories, space) };
  }

  function pushPacket(n: number, who: TestCredential): Attempt {
    const team = random() < 0.5 ? pick(tenants.teams, random) : null;
    const space = team ?? who.team ?? who.person;
    const mark = tenants.mayWrite(who, space) ? canaryOf(space) : 'nothing';
    const id = `01TESTPACKET${String(n).padStart(14, '0')}`;
    return {
      method: 'POST',
      path: `/v1/packets${team === null ? '' : `?team=${team.replace('team_', 'tenant-')}`}`,
      call: { json: makePacket({ id, goal: `harvest ${mark}` }) },
      onAnswer: remember(packets, space),
    };
  }
}

/** Keeps the id of what was made. */
function remember(list: Known[], space: SpaceId): (body: string, isOk: boolean) => void {
  return (body, isOk) => {
    if (!isOk) return;
    const { id, memory } = JSON.parse(body) as { id?: string; memory?: { id: string } };
    list.push({ id: (id ?? memory?.id)!, space });
  };
}
