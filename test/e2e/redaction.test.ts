import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startMcpProcess } from './mcp-process.ts';
import { runLtm } from './packet-server.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

/** Another one each time, put together here, so that no file of the project looks like it held a secret. */
let made = 0;
function secret(): string {
  made++;
  const tail = `${'QX7ZK2MN4PRTV6WY'.slice(0, 12)}${String(made).padStart(4, '2').replaceAll('0', 'A').replaceAll('1', 'B').replaceAll('8', 'C').replaceAll('9', 'D')}`;
  return ['AK', 'IA', tail].join('');
}

/** Everything below a folder, as it lies there: database, WAL, logs, settings. */
function atRest(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

const folders: string[] = [];
function makeHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-redact-'));
  folders.push(folder);
  return folder;
}
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('a secret that is told to the program lies nowhere in its files', () => {
  test('by commands: store, edit, import; a person may keep one', async () => {
    const home = makeHome();
    const [one, two, three] = [secret(), secret(), secret()];
    const stored = await runLtm(home, ['store', `The key is ${one}.`, '-m', `token=${two}`, '--json']);
    assert.equal(stored.code, 0, stored.stderr);
    const { memory, redactions } = JSON.parse(stored.stdout);
    assert.equal(memory.content, 'The key is [redacted:aws-key].');
    assert.equal(redactions.length, 2);
    const edited = await runLtm(home, ['edit', memory.id, '--content', `Now it is ${three}.`]);
    assert.match(edited.stderr, /Secrets were replaced before storing: aws-key \(content, line 1\)/);
    const export_ = await runLtm(home, ['export', '-']);
    const bytes = atRest(home);
    for (const value of [one, two, three]) assert.ok(!bytes.includes(value) && !export_.stdout.includes(value));
    const kept = secret();
    const asked = await runLtm(home, ['store', `Example key ${kept}`, '--no-redact', '--json']);
    assert.equal(JSON.parse(asked.stdout).memory.content, `Example key ${kept}`);
    const carried = await runLtm(home, ['export', '-']);
    const other = makeHome();
    writeFileSync(join(other, 'in.jsonl'), carried.stdout);
    const imported = await runLtm(other, ['import', join(other, 'in.jsonl')]);
    assert.equal(imported.code, 0, imported.stderr);
    assert.match(imported.stderr, /aws-key/);
    rmSync(join(other, 'in.jsonl'));
    assert.ok(!atRest(other).includes(kept));
  });

  test('by an agent over stdio, which cannot have it kept', async (context) => {
    const mcp = await startMcpProcess();
    context.after(() => mcp.close());
    const [one, two, three] = [secret(), secret(), secret()];
    const stored = await mcp.call('memory_store', { content: `The key is ${one}.`, metadata: { note: two } });
    assert.equal(stored.redactions.length, 2);
    assert.match(stored.warnings.join(' '), /Secrets were replaced/);
    const refused = await mcp.fail('memory_store', { content: `The key is ${one}.`, no_redact: true });
    assert.equal(refused.code, 'invalid_input');
    await mcp.call('memory_update', { id: stored.id, content: `Now ${three}`, reason: `was ${one}` });
    await mcp.call('store_memory', { content: `From the service family ${three}`, metadata: { tags: `a,${two}` } });
    const folder = join(mcp.db, '..');
    for (const value of [one, two, three]) assert.ok(!atRest(folder).toUpperCase().includes(value), value);
  });
});

describe('what was stored before secrets were replaced', () => {
  test('is shown by ltm scrub, and clean in the whole folder after ltm scrub --yes', async () => {
    const home = makeHome();
    const [one, two] = [secret(), secret()];
    const off = { env: { LTM_REDACT: 'off' } };
    const stored = await runLtm(home, ['store', `The key is ${one}.`, '--json'], off);
    const { id } = JSON.parse(stored.stdout).memory;
    await runLtm(home, ['edit', id, '--content', `Now it is ${two}.`], off);
    assert.ok(atRest(home).includes(one) && atRest(home).includes(two));
    const look = await runLtm(home, ['scrub']);
    assert.match(look.stdout, new RegExp(`${id} memory  aws-key in content, line 1; 1 earlier version`));
    assert.ok(atRest(home).includes(one));
    const done = await runLtm(home, ['scrub', '--yes']);
    assert.match(done.stdout, /Replaced the secrets in 1 of 1 record\./);
    assert.ok(!atRest(home).includes(one) && !atRest(home).includes(two));
    assert.match((await runLtm(home, ['get', id])).stdout, /Now it is \[redacted:aws-key\]\./);
    assert.match((await runLtm(home, ['scrub'])).stdout, /No secrets in 1 record\./);
    assert.equal((await runLtm(home, ['doctor'])).code, 0);
  });
});

describe('on a server', () => {
  let server: ServeProcess;
  const TOKEN = 'token-of-ada-0123456789abcdef';
  before(async () => {
    server = await startServe(makeServeFolder({ [TOKEN]: 'ada' }), ['--tokens-file', 'user_tokens.json']);
  });
  after(async () => {
    await server.stop();
    removeFolder(server.folder);
  });
  const ask = (path: string, body: unknown, method = 'POST', token = TOKEN): Promise<Response> =>
    fetch(new URL(`/api/v1${path}`, server.url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('it lies nowhere after REST and MCP over HTTP, nor in the log', async () => {
    const values = [secret(), secret(), secret(), secret(), secret()] as const;
    const stored = await ask('/memories', { content: `The key is ${values[0]}.`, metadata: { env: [values[1]] } });
    assert.equal(stored.status, 201);
    const { memory } = (await stored.json()) as { memory: { id: string } };
    await ask(`/memories/${memory.id}`, { content: `It is ${values[2]}` }, 'PATCH');
    await ask('/memories/batch', { memories: [{ content: `one ${values[3]}` }, { content: 'two' }] });
    const client = new Client({ name: 'redaction', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
        requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } },
      }),
    );
    await client.callTool({ name: 'memory_store', arguments: { content: `over HTTP ${values[4]}` } });
    await client.close();
    const bytes = `${atRest(server.folder)}${server.log()}`;
    for (const value of values) assert.ok(!bytes.includes(value), value);
    assert.equal((await ask('/memories', { content: `kept ${secret()}`, no_redact: true })).status, 403);
    assert.equal((await ask('/scrub', {})).status, 403);
    const owner = (await runLtm(server.folder, ['token', '--show'])).stdout.trim();
    const scrubbed = await ask('/scrub', { apply: true }, 'POST', owner);
    assert.equal(scrubbed.status, 200);
    const { checked, count } = (await scrubbed.json()) as { checked: number; count: number };
    assert.deepEqual([checked, count], [4, 0]);
  });
});
