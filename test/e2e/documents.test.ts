import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Answer, startMcpProcess } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { connectSse, makeServeFolder, removeFolder, startServe } from './serve-process.ts';

const FIXTURES = join(import.meta.dirname, '..', 'documents', 'fixtures');
const folder = mkdtempSync(join(tmpdir(), 'ltm-documents-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const docs = join(folder, 'docs');
mkdirSync(docs);
writeFileSync(join(docs, 'guide.md'), '# Guide\n\n## Setup\n\nTurn the brass key twice.\n');
writeFileSync(join(docs, 'bad.json'), '{');

function run(...args: string[]): { code: number | null; out: Answer; text: string; err: string } {
  const env = { ...PLAIN_ENV, HOME: folder };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [PROGRAM, '--db', join(folder, 'memory.db'), ...args],
    {
      env,
      cwd: folder,
      encoding: 'utf8',
    },
  );
  return { code: status, out: args.includes('--json') ? JSON.parse(stdout || '{}') : {}, text: stdout, err: stderr };
}

test('the command ingests, searches, lists, removes and restores documents', () => {
  const first = run('ingest', 'docs', join(FIXTURES, 'turbine.pdf'), '--tag', 'manual', '--project', 'shed', '--json');
  assert.equal(first.code, 6, first.err);
  assert.deepEqual([first.out.ingested, first.out.failed.length, first.out.failed[0].code], [2, 1, 'invalid_input']);
  rmSync(join(docs, 'bad.json'));
  const again = run('ingest', 'docs', '--tag', 'manual', '--project', 'shed', '--json');
  assert.deepEqual([again.code, again.out.unchanged, again.out.sections.added], [0, 1, 0]);

  const { text } = run('search', 'rear bearing grease', '-n', '1');
  assert.match(text, /Turbine Manual › Maintenance › Bearings/);
  assert.match(text, /turbine\.pdf, page 3/);
  assert.match(run('search', 'brass key', '-n', '1').text, /guide\.md:5/);
  const listed = run('documents', '--tag', 'manual', '--json');
  assert.equal(listed.out.total, 2);
  assert.match(run('documents', 'show', 'docs/guide.md').text, /Guide › Setup · line 5\nTurn the brass key twice\./);

  const removed = run('documents', 'remove', 'docs/guide.md', '--json');
  assert.deepEqual([removed.code, removed.out.sections], [0, 1]);
  assert.equal(run('documents', 'remove', 'docs/guide.md').code, 3);
  assert.equal(run('documents', 'restore', 'docs/guide.md').code, 0);
  assert.equal(run('ingest', 'docs', '--title', 'All the same').code, 2);
  assert.equal(run('ingest', 'docs', '--project', 'shed', '--no-recursive', '--prune', '--json').out.removed, 0);
  rmSync(join(docs, 'guide.md'));
  assert.equal(run('ingest', 'docs', '--prune', '--json').out.removed, 1);
  assert.equal(run('ingest', 'nowhere').code, 3);
  assert.equal(run('ingest', 'https://example.com/').code, 4);
  assert.equal(run('doctor').code, 0);
});

test('an agent ingests files of its own machine over stdio, and finds them', async (t) => {
  const mcp = await startMcpProcess();
  t.after(() => mcp.close());
  const { tools } = await mcp.client.listTools();
  assert.ok(!tools.some(({ name }) => name === 'memory_ingest'));
  const report = await mcp.call('memory_ingest', { path: FIXTURES, tags: ['manual'], extensions: ['pdf', 'docx'] });
  assert.deepEqual([report.ingested, report.failed.length], [4, 1]);
  const { hits } = await mcp.call('memory_search', { query: 'green light on the mole' });
  assert.equal(hits[0].page, 1);
  assert.match(hits[0].title, /Harbour Handbook › Lights/);
  assert.equal(hits[0].trust, 'untrusted');
  const inline = await mcp.call('memory_ingest', { content: '# Note\n\nOwls nest in the barn.', name: 'note.md' });
  assert.equal(inline.documents[0].outcome, 'ingested');
  const { documents } = await mcp.call('memory_documents', {});
  assert.equal(documents.length, 5);
  const gone = await mcp.call('memory_remove_documents', { refs: ['note.md'] });
  assert.equal(gone.sections, 1);
  assert.equal((await mcp.fail('memory_ingest', {})).code, 'invalid_input');
  assert.equal((await mcp.fail('memory_ingest', { url: 'https://example.com/' })).code, 'forbidden');
  const older = await mcp.call('ingest_document', { file_path: join(FIXTURES, 'plain.pdf') });
  assert.ok(older.chunks_processed > 0);
});

test('over the network no token makes files of the server readable, by whichever transport or name', async (t) => {
  const home = makeServeFolder(null);
  const key = 'a-key-for-this-test-that-is-long-enough';
  const server = await startServe(home, [], { LTM_API_KEY: key });
  const sse = await connectSse(`${server.url}/sse`, key);
  const client = new Client({ name: 'documents', version: '1' });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }));
  t.after(async () => {
    await client.close();
    await sse.close();
    await server.stop();
    removeFolder(home);
  });
  const call = async (args: Record<string, unknown>) =>
    (await client.callTool({ name: 'memory_ingest', arguments: args })) as Answer;
  const path = join(FIXTURES, 'plain.pdf');
  for (const refused of [await call({ path }), await sse.invoke('memory_ingest', { file_path: path })])
    assert.deepEqual([refused.isError, refused.structuredContent.error.code], [true, 'forbidden']);
  const inline = await call({ content: 'Bees live in the wall.', name: 'bees.txt' });
  assert.equal(inline.structuredContent.documents[0].outcome, 'ingested');
});
