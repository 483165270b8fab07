import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { KEY, type ObservationServer, startObservationServer } from './observation-server.ts';

let folder: string;
let server: ObservationServer;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-observe-'));
  server = await startObservationServer(folder, ['--observe-port', '0'], {
    LTM_CAPTURE_EXCLUDE_TOOLS: 'SecretTool',
    LTM_CAPTURE_EXCLUDE_PATHS: '*.tfstate',
    LTM_PRIVACY_PATTERNS: JSON.stringify([{ name: 'ticket', pattern: 'ACME-\\d+' }, '.*', '[bad', 'ab']),
  });
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Every byte that the server has written. */
function readEverything(): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

async function read(number: number) {
  return (await server.get(`/observation/${number}`)).body.observations[0];
}

test('M17: health, status and stats have the fields that programs look for', async () => {
  const health = (await server.get('/health', null)).body;
  assert.equal(health.status, 'ok');
  for (const name of ['uptime', 'pending', 'circuit_open', 'idle_ms']) assert.ok(name in health, name);
  const status = (await server.get('/status')).body;
  for (const name of ['status', 'uptime', 'pending', 'pid', 'port', 'service_managed', 'version'])
    assert.ok(name in status, name);
  assert.deepEqual(Object.keys((await server.get('/stats')).body), [
    'totalSessions',
    'totalObservations',
    'totalUserObservations',
    'totalConcepts',
    'pendingCompressions',
  ]);
});

test('M18: everything but the health needs the token', async () => {
  const open = ['/status', '/stats', '/search?q=x', '/context', '/observation/1', '/timeline/1', '/export'];
  for (const path of open)
    for (const token of [null, 'wrong'])
      assert.deepEqual(await server.get(path, token), { status: 401, body: { error: 'Unauthorized' } }, path);
  for (const path of ['/observe', '/prompt', '/session/start', '/session/end', '/ecosystem/ingest', '/shutdown'])
    assert.deepEqual(await server.post(path, {}, null), { status: 401, body: { error: 'Unauthorized' } }, path);
  assert.equal((await server.get('/health', null)).status, 200);
});

test('M21: an observation is told its number, and can be read by it', async () => {
  const number = await server.observe({
    tool_name: 'Edit',
    tool_input: { file_path: 'src/login.ts' },
    tool_output: 'ok',
  });
  const row = await read(number);
  assert.deepEqual(
    [row.id, row.tool_name, row.session_id, row.project, JSON.parse(row.tool_input)],
    [number, 'Edit', 's1', 'web', { file_path: 'src/login.ts' }],
  );
  assert.equal((await server.get('/observation/abc')).status, 400);
  assert.equal((await server.post('/observe', '{broken')).status, 400);
});

test('a structured result is kept as text, and an event that is sent again within seconds is one', async () => {
  const event = { tool_input: { command: 'ls' }, tool_output: { stdout: 'README.md', code: 0 } };
  const number = await server.observe(event);
  assert.equal(await server.observe(event), number);
  assert.match((await read(number)).tool_output, /README\.md/);
});

test('M22: of an excluded tool, and of memory tools themselves, nothing is stored', async () => {
  const before = (await server.get('/stats')).body.totalObservations;
  for (const tool_name of ['SecretTool', 'mcp__ltm__memory_search', 'mem_export', 'mcp__longmem__mem_get'])
    assert.deepEqual((await server.post('/observe', { session_id: 's1', tool_name, tool_output: 'x' })).body, {
      status: 'excluded',
      reason: 'tool_excluded',
    });
  assert.equal((await server.get('/stats')).body.totalObservations, before);
});

test('M23: of a denied path only the path is stored, however a command reaches it', async () => {
  const secret = 'the-content-of-a-denied-file';
  const inputs = [
    { file_path: '/app/.env' },
    ...[
      'cat .env',
      'head -n 5 .env',
      'cp .env x',
      'grep K < .env',
      'base64 id_rsa',
      'cat a.ts .env',
      'cat x.tfstate',
    ].map((command) => ({ command })),
  ];
  for (const tool_input of inputs) {
    const { body } = await server.post('/observe', {
      session_id: 's1',
      tool_name: 'Bash',
      tool_input,
      tool_output: secret,
    });
    assert.deepEqual([body.status, body.reason], ['excluded', 'path_denylist'], JSON.stringify(tool_input));
    const row = await read(body.observation_id);
    assert.equal(row.tool_output, '[EXCLUDED: path matched denylist]');
  }
  assert.ok(!readEverything().includes(secret));
});

const SHAPES: Readonly<Record<string, string>> = {
  openrouter: `sk-or-v1-${'a1b2c3d4'.repeat(8)}`,
  anthropic: `sk-ant-api03-${'aB3dE6gH9jK2'.repeat(4)}`,
  openai: `sk-${'aB3dE6gH9jK2mN5pQ8sT'.repeat(2)}`,
  google: `AIza${'SyD3aB6cE9fH2jK5mN8pQ1sT4vW7yZ0b_cd'.slice(0, 35)}`,
  stripe: `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}`,
  sendgrid: `SG.${'aB3dE6gH9jK2mN5pQ8sT1v'}.${'W4yZ7bC0eF3hJ6kL9nP2qR5tU8wX1zA4cD7fG0iK3lM'}`,
  npm: `npm_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`,
  github: `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`,
  gitlab: `glpat-${'aB3dE6gH9jK2mN5pQ8sT'}`,
  aws: 'AKIAIOSFODNN7EXAMPLE',
  jwt: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  pem: '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF8PbnGy0AHB7MhgHcTz6sE2I2yPB\n-----END RSA PRIVATE KEY-----',
  postgres: 'postgres://app:hunter2secret@db.example.com:5432/app',
};

test('M24: every shape of a secret is replaced, in the input as in the output, and the input stays JSON', async () => {
  for (const [name, secret] of Object.entries(SHAPES)) {
    const number = await server.observe({
      tool_input: { command: `deploy --key ${name} ${secret}`, nested: { password: 'Tr0ub4dor&3-horse' } },
      tool_output: `before ${secret} after`,
    });
    const row = await read(number);
    const shown = JSON.stringify(row);
    for (const piece of secret.split(/[\n ]/).filter((one) => one.length > 20 && !one.startsWith('-----')))
      assert.ok(!shown.includes(piece), `${name}: ${shown}`);
    assert.ok(!shown.includes('Tr0ub4dor'), name);
    assert.equal(typeof JSON.parse(row.tool_input), 'object', name);
  }
});

test('M25: what is private is not stored, closed or not, however long', async () => {
  const number = await server.observe({
    tool_input: { command: 'echo <private>first-private-word</private> done' },
    tool_output: `seen <private>${'second-private-word '.repeat(8000)}`,
  });
  assert.match((await read(number)).tool_input, /echo\s+done/);
  await server.post('/prompt', { session_id: 's1', project: 'web', text: 'Hello <private>third-private-word' });
  assert.deepEqual(
    (await server.post('/prompt', { session_id: 's1', text: '<private>fourth-private-word</private>' })).body,
    {
      status: 'skipped',
    },
  );
  await server.observe({
    tool_output:
      '<longmem-context>fifth-private-word</longmem-context> and <ltm-context>fifth-private-word</ltm-context> x',
  });
  assert.doesNotMatch(readEverything(), /(first|second|third|fourth|fifth)-private-word/);
});

test('M21: which prompt a use of a tool belongs to is kept as the client says, and counted where it says nothing', async () => {
  const numbered = async (prompt_number: unknown) => {
    const number = await server.observe({
      session_id: 'n',
      tool_input: { command: `try ${prompt_number}` },
      prompt_number,
    });
    return (await read(number)).prompt_number;
  };
  assert.equal((await server.post('/prompt', { session_id: 'n', text: 'Try it' })).status, 200);
  assert.equal(await numbered(undefined), 1);
  assert.equal(await numbered(7), 7);
  assert.equal(await numbered(0), 0);
  for (const wrong of ['7', -1, 1.5, 1e300, null, {}]) assert.equal(await numbered(wrong), 0, String(wrong));
  assert.equal((await server.post('/prompt', { session_id: 'n', text: 'Try it again' })).status, 200);
  assert.equal(await numbered(undefined), 1);
});

test('M26: long texts are cut after their secrets were replaced', async () => {
  const secret = SHAPES.github!;
  const number = await server.observe({
    tool_input: { command: `echo ${'a '.repeat(2040)}${secret} ${'b '.repeat(3000)}` },
    tool_output: `${'c '.repeat(4090)}${secret} ${'d '.repeat(8000)}`,
  });
  const { tool_input: input, tool_output: output } = await read(number);
  assert.ok(input.length <= 4200 && output.length <= 8300, `${input.length} ${output.length}`);
  for (const text of [input, output]) {
    assert.match(text, /\.\.\.\[truncated \d+ chars\]/);
    assert.doesNotMatch(text, /ghp_/);
  }
});

test('M28: patterns of one’s own are replaced everywhere; those that would take everything are ignored', async () => {
  const number = await server.observe({ tool_input: { command: 'open ACME-4711' }, tool_output: 'ACME-4711 is open' });
  const row = await read(number);
  assert.doesNotMatch(JSON.stringify(row), /ACME-4711/);
  assert.match(row.tool_output, /is open/);
  await server.post('/prompt', { session_id: 's1', project: 'web', text: 'What about ACME-4712 today?' });
  assert.doesNotMatch(JSON.stringify((await server.get('/search?q=today&type=recent&limit=1')).body), /ACME-4712/);
});

test('M35: the best match comes first, words of summaries and inputs are found, and so are words with signs', async () => {
  const strong = await server.observe({
    session_id: 'q',
    tool_name: 'Edit',
    tool_input: { file_path: 'src/zeppelin/hangar-door.cpp' },
    tool_output: 'zeppelin hangar door',
  });
  await server.observe({ session_id: 'q', tool_input: { command: 'ls docs' }, tool_output: 'door' });
  const compiler = await server.observe({ session_id: 'q', tool_input: { command: 'g++ main.cpp # C++ build' } });
  const search = async (q: string) => {
    const { body } = await server.get(`/search?q=${encodeURIComponent(q)}`);
    return (body.results as { id: number; summary: string }[]).map(({ id }) => id);
  };
  assert.equal((await search('zeppelin hangar door'))[0], strong);
  assert.equal((await search('where is the hangar-door.cpp file?'))[0], strong);
  assert.equal((await search('C++'))[0], compiler);
  assert.deepEqual(await search('qqqxyzzy wvutzk'), []);
  assert.ok((await search('the airship shed')).includes(strong), 'what is nearest, however weak');
  const { body } = await server.get('/search?q=zeppelin');
  assert.ok(body.results.every(({ summary }: { summary: string }) => summary !== '' && summary.length <= 120));
});

test('the timeline, sessions and the context are those of the old endpoints', async () => {
  await server.post('/session/start', { session_id: 't', project: 'api', directory: '/srv/api' });
  const numbers: number[] = [];
  for (const n of [1, 2, 3, 4, 5])
    numbers.push(await server.observe({ session_id: 't', project: 'api', tool_input: { command: `step ${n}` } }));
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);
  const { body } = await server.get(`/timeline/${numbers[2]}?before=1&after=0`);
  assert.deepEqual([ids(body.before), body.target.id, body.after], [[numbers[1]], numbers[2], []]);
  assert.equal((await server.get('/timeline/-1')).status, 400);
  assert.equal((await server.get('/timeline/999999')).status, 404);
  assert.deepEqual((await server.post('/session/end', { session_id: 't' })).body, { status: 'ok' });
  assert.equal((await server.post('/session/end', {})).status, 400);
  const context = (await server.get('/context?project=api&limit=2')).body;
  assert.equal(context.count, 2);
  assert.match(context.context, /^- \[\d{4}-\d\d-\d\d\] Bash: /);
  const found = (await server.get('/search?q=step&type=sessions')).body.results;
  assert.ok(Array.isArray(found));
});

test('a prompt that asks for it is given what earlier sessions left, wrapped as programs of the old system know it', async () => {
  const say = async (session_id: string, text: string) =>
    (await server.post('/prompt', { session_id, project: 'barn', text, with_context: true })).body;
  await server.post('/prompt', {
    session_id: 'first',
    project: 'barn',
    text: 'Paint the weathervane with anti-rust coating',
  });
  await server.observe({
    session_id: 'first',
    project: 'barn',
    tool_name: 'Edit',
    tool_input: { file_path: 'weathervane.ts' },
    tool_output: 'The file weathervane.ts has been updated.',
  });
  await server.post('/session/end', { session_id: 'first' });
  const given = await say('second', 'What did we do about the weathervane coating?');
  assert.deepEqual([given.status, given.autoinject], ['ok', true]);
  assert.match(
    given.context ?? '',
    /^<longmem-context>[\s\S]*weathervane[\s\S]*<\/longmem-context>\s*$/,
    JSON.stringify(given),
  );
  assert.ok(['fts', 'recency'].includes(given.reason), given.reason);
  const again = await say('second', 'And what about the weathervane coating, once more?');
  assert.equal(again.context, null);
  assert.doesNotMatch(JSON.stringify((await server.get('/search?q=weathervane&limit=20')).body), /longmem-context/);
  assert.deepEqual((await server.post('/prompt', { session_id: 'second', text: '  ' })).body, { status: 'skipped' });
});

test('M38: files are taken in once, again when they change, and screened', async () => {
  const files = [
    { path: '~/.claude/CLAUDE.md', content: 'Use tabs in Makefiles.', hash: 'h1', source: 'claude' },
    { path: '~/x/CLAUDE.md', content: `The key is ${SHAPES.github}`, hash: 'h2', source: 'claude' },
  ];
  const ingest = async (given: object[]) => (await server.post('/ecosystem/ingest', { files: given })).body;
  assert.deepEqual(await ingest(files), { status: 'ok', ingested: 2, skipped: 0, total: 2 });
  assert.deepEqual(await ingest(files), { status: 'ok', ingested: 0, skipped: 2, total: 2 });
  const changed = [{ ...files[0], content: 'Use spaces in Makefiles.', hash: 'h3' }];
  assert.deepEqual(await ingest(changed), { status: 'ok', ingested: 1, skipped: 0, total: 1 });
  assert.equal((await server.get('/stats')).body.totalUserObservations, 2);
  const { results } = (await server.get('/search?q=Makefiles&type=user')).body;
  assert.match(results[0].summary, /Use spaces in Makefiles/);
  assert.equal((await server.post('/ecosystem/ingest', { files: [] })).status, 400);
  assert.ok(!readEverything().includes(SHAPES.github!));
});

test('the export is one document, and days are days', async () => {
  const { body } = await server.get('/export?days=1');
  for (const name of ['exported_at', 'version', 'options', 'sessions', 'observations', 'userObservations', 'concepts'])
    assert.ok(name in body, name);
  assert.ok(body.observations.length > 5 && !('tool_output' in body.observations[0]));
  assert.ok('tool_output' in (await server.get('/export?include_raw=true')).body.observations[0]);
  for (const days of ['0', '366', 'x']) assert.equal((await server.get(`/export?days=${days}`)).status, 400, days);
  assert.match(
    (await server.get('/export?format=markdown&project=api')).body,
    /^# Memory export: api[\s\S]*## Session: api/,
  );
});

test('they are served on a port of their own too, and the owner can stop the server there', async () => {
  const line = server
    .log()
    .split('\n')
    .find((one) => one.includes('listening_too'));
  const { url: second } = JSON.parse(line ?? '{}') as { url?: string };
  const stats = await fetch(`${second}/stats`, { headers: { authorization: `Bearer ${KEY}` } });
  assert.equal(stats.status, 200);
  const stopped = await fetch(`${second}/shutdown`, { method: 'POST', headers: { authorization: `Bearer ${KEY}` } });
  assert.deepEqual(await stopped.json(), { status: 'shutting_down' });
  await server.stop();
  await assert.rejects(fetch(`${second}/health`));
});
