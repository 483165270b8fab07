import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openMemory } from '../../src/server/open-memory.ts';
import { packetText, type Ran, runLtm, startPacketServer } from './packet-server.ts';

const server = await startPacketServer();
after(() => server.close());
const [here, there] = [server.home(), server.home()];

async function ltm(home: string, ...words: string[]): Promise<Ran> {
  const ran = await runLtm(home, words);
  assert.equal(ran.code, 0, `${words.join(' ')}: ${ran.stderr}`);
  return ran;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the program under test, read as a script would
async function json(home: string, ...words: string[]): Promise<any> {
  return JSON.parse((await ltm(home, ...words, '--json')).stdout);
}

async function askAgent(query: string): Promise<string[]> {
  const client = new Client({ name: 'agent', version: '1' });
  const headers = { authorization: `Bearer ${server.owner}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }));
  const { structuredContent } = await client.callTool({ name: 'memory_search', arguments: { query, mode: 'text' } });
  await client.close();
  return (structuredContent as { hits: { id: string }[] }).hits.map(({ id }) => id);
}

test('before a sign-in everything is of this machine', async () => {
  await ltm(here, 'store', 'Local only: the espresso machine needs descaling.');
  assert.equal((await json(here, 'list')).total, 1);
  assert.equal((await json(there, 'list')).total, 0);
});

test('after ltm auth both homes act on the server, and agree with what an agent sees', async () => {
  for (const home of [here, there]) await ltm(home, 'auth', server.url, server.owner);
  const stored = await json(
    here,
    'store',
    'Staging runs on port 8443.',
    '--tags',
    'infra',
    '--valid-until',
    '2040-01-01',
  );
  const { id } = stored.memory;
  assert.equal(stored.memory.valid_until, '2040-01-02T00:00:00.000Z');
  const searched = await ltm(there, 'search', 'staging port');
  assert.match(searched.stdout, /Staging runs on port 8443/);
  assert.match(searched.stderr, new RegExp(`^On ${server.url}$`, 'm'));
  assert.equal((await json(there, 'search', 'staging port')).hits[0].id, id);
  assert.deepEqual(await askAgent('staging port'), [id]);
  assert.equal((await json(here, 'list')).total, 1);

  assert.match((await ltm(there, 'edit', id, '--content', 'Staging runs on port 9443.')).stdout, /Changed content/);
  assert.equal((await json(here, 'get', id)).memories[0].content, 'Staging runs on port 9443.');
  assert.equal((await json(here, 'history', id)).versions[0].memory.content, 'Staging runs on port 8443.');
  await ltm(here, 'edit', id, '--undo');
  assert.equal((await ltm(there, 'get', id, '--content')).stdout, 'Staging runs on port 8443.');
  assert.match((await ltm(there, 'edit', id, '--trust', 'user')).stdout, /Changed trust/);
  assert.equal((await json(here, 'get', id)).memories[0].trust, 'user');
  const stale = await runLtm(there, ['edit', id, '--tags', 'x', '--revision', '1']);
  assert.equal(stale.code, 4);

  assert.equal((await json(there, 'delete', '--tags', 'infra', '--yes')).count, 1);
  assert.deepEqual(await askAgent('staging port'), []);
  const missing = await runLtm(here, ['get', id]);
  assert.deepEqual([missing.code, missing.stdout], [3, '']);
  await ltm(here, 'restore', id);
  assert.deepEqual(await askAgent('staging port'), [id]);
  const refused = await runLtm(here, ['store', 'Staging runs on port 8443!', '--on-duplicate', 'refuse']);
  assert.equal(refused.code, 4);
  assert.match(refused.stdout, /Not stored/);
  assert.equal((await json(there, 'stats')).memories, 1);
});

test('packets, teams, tokens, export and import too', async () => {
  const { stdout } = await runLtm(here, ['save', '-'], { input: packetText({ id: 'two-homes-1', goal: 'Agree' }) });
  assert.equal(stdout, 'two-homes-1\n');
  assert.match((await ltm(there, 'resume', 'two-homes-1')).stdout, /Agree/);
  assert.match((await ltm(there, 'resume', '--latest')).stdout, /Agree/);
  const [packet] = (await json(here, 'search', 'Agree', '--kind', 'packet')).hits;
  await ltm(here, 'edit', packet.id, '--trust', 'untrusted');
  assert.match((await ltm(there, 'show', 'two-homes-1')).stdout, /^\| Source +rest [\s\S]*^\| Trust +untrusted$/m);
  assert.match((await ltm(there, 'resume', 'two-homes-1')).stdout, /trust: untrusted[\s\S]*^\| Agree$/m);
  assert.equal((await runLtm(there, ['resume', '--latest'])).code, 3);
  await ltm(here, 'teams', 'create', 'crew');
  assert.equal((await json(there, 'teams', 'ls')).teams[0].name, 'crew');
  assert.match((await ltm(here, 'tokens', 'create', 'laptop', '--role', 'reader')).stdout, /^\S+\n$/);
  assert.ok((await json(there, 'tokens')).tokens.some(({ name }: { name: string }) => name === 'laptop'));
  const exported = (await ltm(there, 'export', '-')).stdout;
  assert.match(exported, /Staging runs on port 8443/);
  const report = await runLtm(here, ['import', '-', '--json'], { input: exported });
  assert.deepEqual([report.code, JSON.parse(report.stdout).records], [0, 0]);
  const broken = await runLtm(here, ['import', '-'], { input: 'no line of ours\n' });
  assert.equal(broken.code, 2);
  assert.match(broken.stderr, /line 1/);
});

test('the library does the same on the server, packets included', async () => {
  const memory = await openMemory({ server: `${server.url}/`, token: server.owner });
  assert.equal((await memory.search('staging port')).hits[0]?.title, 'Staging runs on port 8443.');
  const raw = new TextEncoder().encode(packetText({ id: 'from-a-program', goal: 'Agree too' }));
  assert.equal((await memory.verbs.savePacket({ raw })).id, 'from-a-program');
  assert.equal((await memory.verbs.getPacket({ id: 'from-a-program' })).packet?.goal, 'Agree too');
  await assert.rejects(openMemory({ server: server.url }), { code: 'unauthorized' });
  const away = await openMemory({ server: 'http://127.0.0.1:9', token: 'x' });
  await assert.rejects(away.list(), { code: 'busy' });
});

test('one command can be told where, and what needs the machine itself says so', async () => {
  assert.equal((await json(here, 'list', '--local')).memories[0].content.slice(0, 10), 'Local only');
  const doctor = await runLtm(there, ['doctor', '--server', server.url]);
  assert.equal(doctor.code, 2);
  assert.match(doctor.stderr, /needs the database itself/);
  const both = await runLtm(here, ['list', '--server', server.url, '--local']);
  assert.equal(both.code, 2);
  const elsewhere = await runLtm(there, ['list', '--server', 'http://127.0.0.1:9']);
  assert.equal(elsewhere.code, 4);
  assert.match(elsewhere.stderr, /not signed in to http:\/\/127\.0\.0\.1:9/);
});

test('after ltm auth logout everything is of this machine again', async () => {
  await ltm(here, 'auth', 'logout');
  const { memories, total } = await json(here, 'list');
  assert.deepEqual([total, memories[0].content], [1, 'Local only: the espresso machine needs descaling.']);
  await ltm(here, 'store', 'Back home.');
  assert.equal((await json(there, 'list')).total, 1);
  assert.match((await ltm(here, 'config', 'get', 'server')).stdout, /not set/);
});
