// Rows of mcp-memory-service's checklist about documents and transcripts, by number: tools and routes over one database.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { type ChatService, startChatService } from '../stub-chat-service.ts';
import { type Json, KEY, type RestClient, startService } from './rest-client.ts';
import { type ServiceClient, startServiceTools } from './service-client.ts';

let ltm: ServiceClient;
let rest: RestClient;
let model: ChatService;
const folder = mkdtempSync(join(tmpdir(), 'ltm-documents-'));
before(async () => {
  model = await startChatService({ score: 0.9 });
  ltm = await startServiceTools({ LTM_SUMMARIZER_URL: model.url, LTM_SUMMARIZER_MODEL: 'judge' });
  rest = await startService({ MCP_API_KEY: KEY, LTM_DB: ltm.db });
});
after(async () => {
  await rest.close();
  await ltm.close();
  model.close();
  rmSync(folder, { recursive: true });
});
const get = async (path: string): Promise<Json> => (await rest.send('GET', `/api/${path}`)).body;

const FIXTURES = join(import.meta.dirname, '..', 'documents', 'fixtures');
const OFFICE = [
  ['plain.pdf', 'herons'],
  ['harbour.docx', 'tide'],
] as const;

test('row 42: memory_ingest takes in text, Markdown, JSON, CSV, PDF and office files, reports chunks, and search finds them', async () => {
  const files = {
    'notes.md': '# Lighthouse\n\nThe lamp burns colza oil.\n\n## Keeper\n\nThe keeper sleeps at noon.\n',
    'plain.txt': 'Short, and kept all the same: barnacle.',
    'data.json': '{"ship": {"name": "Endurance", "crew": [28]}}',
    'rows.csv': 'port,depth\nOban,12\nMallaig,7\n',
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text);
    const { text: report } = await ltm.invoke('memory_ingest', { file_path: join(folder, name), tags: ['sea'] });
    assert.match(
      report,
      new RegExp(`^Document ingestion completed: ${name}\nChunks processed: \\d+\nChunks stored: [1-9]`),
      report,
    );
    assert.match(report, /Success rate: 100\.0%/);
  }
  for (const word of ['colza', 'barnacle', 'Endurance', 'Mallaig']) {
    const { text } = await ltm.invoke('memory_search', { query: word });
    assert.ok(text.includes(word), `${word}: ${text}`);
  }
  for (const [name, words] of OFFICE) {
    const { text } = await ltm.invoke('memory_ingest', { file_path: join(FIXTURES, name) });
    assert.match(text, /Chunks stored: [1-9]/, text);
    assert.ok((await ltm.invoke('memory_search', { query: words })).text.includes(words), name);
  }
  const again = await ltm.invoke('memory_ingest', { file_path: join(folder, 'notes.md'), tags: ['sea'] });
  assert.match(again.text, /Chunks stored: 0/);
  const wrong = await ltm.invoke('memory_ingest', {});
  assert.deepEqual([wrong.isError, /Either file_path or directory_path/.test(wrong.text)], [true, true]);
});

test('row 43: memory_ingest takes in a folder: recursive, by endings, up to max_files, with a report', async () => {
  const tree = join(folder, 'tree');
  mkdirSync(join(tree, 'deep'), { recursive: true });
  for (const [name, text] of [
    ['a.md', 'Kelp one'],
    ['b.txt', 'Kelp two'],
    ['c.py', 'kelp = 3'],
    ['deep/d.md', 'Kelp four'],
  ] as const)
    writeFileSync(join(tree, name), text);
  const report = async (more = {}) => (await ltm.invoke('memory_ingest', { directory_path: tree, ...more })).text;
  assert.match(await report({ recursive: false }), /^Directory ingestion completed: tree\nFiles processed: 2\n/);
  assert.match(await report(), /Files processed: 3\n/);
  assert.match(await report({ file_extensions: ['py'] }), /Files processed: 1\n/);
  assert.match(await report({ max_files: 1 }), /Files processed: 1\n/);
  const tagsOf = async (query: string) => (await ltm.call('memory_search', { query, mode: 'exact' })).results[0].tags;
  assert.deepEqual(await tagsOf('Kelp four'), ['source_dir:tree', 'file_type:md']);
  assert.deepEqual(await tagsOf('kelp = 3'), ['source_dir:tree', 'file_type:py']);
  const { results } = await ltm.call('memory_search', { query: 'colza', mode: 'exact' });
  assert.deepEqual(results[0].tags, ['sea'], 'a file by itself has no more than it was given');
});

test('row 44: a passage knows its file, its place and its headings', async () => {
  const found = await ltm.call('memory_search', { query: 'keeper sleeps' });
  const { metadata, memory_type: type } = found.results[0];
  assert.match(metadata.source_file, /notes\.md$/);
  assert.deepEqual(metadata.headings.at(-1), 'Keeper');
  assert.ok(metadata.line_number > 1);
  assert.equal(type, 'document');
  const { chunk_index: index, total_chunks: total } = metadata;
  assert.ok(total > 1 && index >= 0 && index < total, `${index} of ${total}`);
});

test('row 73: an upload has a status, chunks with their index and total, a place in the history, and can be removed', async () => {
  const form = new FormData();
  form.append(
    'file',
    new File(['# Upload\n\nFirst part about krill.\n\n## Two\n\nSecond part about squid.\n'], 'upload.md'),
  );
  form.append('tags', 'krill, squid');
  const headers = { 'X-API-Key': KEY };
  const sent = await fetch(`${rest.server.url}/api/documents/upload`, { method: 'POST', body: form, headers });
  const { upload_id: id, status } = (await sent.json()) as Json;
  assert.deepEqual([sent.status, status], [200, 'completed']);
  const told = await get(`documents/status/${id}`);
  assert.deepEqual(
    [told.filename, told.status, told.progress, told.chunks_stored],
    ['upload.md', 'completed', 100, told.total_chunks],
  );
  assert.deepEqual(told.tags.slice(0, 2), ['krill', 'squid']);
  const { memories } = await get(`documents/search-content/${id}`);
  assert.deepEqual(
    memories.map(({ metadata }: Json) => metadata.chunk_index),
    memories.map((_: Json, n: number) => n),
  );
  assert.ok(memories.some(({ content }: Json) => content.includes('squid')));
  assert.ok((await get('documents/history')).uploads.some(({ upload_id: one }: Json) => one === id));
  const found = (await rest.send('POST', '/api/search', { query: 'krill' })).body;
  const [{ memory }] = found.results;
  assert.match(memory.content, /krill/);
  for (const { metadata } of [memory, await get(`memories/${memory.content_hash}`)])
    assert.deepEqual([metadata.chunk_index, metadata.total_chunks], [0, told.total_chunks]);
  const gone = (await rest.send('DELETE', `/api/documents/remove/${id}`)).body;
  assert.equal(gone.memories_deleted, told.total_chunks);
  assert.equal((await rest.send('GET', `/api/documents/status/${id}`)).status, 404);
  assert.equal((await rest.send('POST', '/api/documents/upload', {}, {})).status, 401);
  const many = new FormData();
  for (const name of ['x.md', 'y.md']) many.append('files', new File([`Text of ${name}`], name));
  many.append('tags', 'batch');
  const batch = await fetch(`${rest.server.url}/api/documents/batch-upload`, { method: 'POST', body: many, headers });
  assert.equal(((await batch.json()) as Json).upload_ids.length, 2);
  const removed = (await rest.send('DELETE', '/api/documents/remove-by-tags', { tags: ['batch'] })).body;
  assert.equal(removed.documents_removed, 2);
});

function writeTranscript(path: string): void {
  const line = (type: string, content: unknown, n: number) =>
    JSON.stringify({
      type,
      uuid: `u${n}`,
      sessionId: 's1',
      cwd: '/work/shop',
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: type, content },
    });
  const said = 'We decided to use PostgreSQL for the shop database because it has row level security.';
  mkdirSync(path, { recursive: true });
  writeFileSync(
    join(path, 's1.jsonl'),
    `${line('user', 'Which database should the shop use?', 1)}\n${line('assistant', [{ type: 'text', text: said }], 2)}\n`,
  );
}

test('row 45: /api/harvest reads the transcripts of a project by its name, and nothing outside of their folder', async () => {
  for (const path of ['../x', '/etc', 'a/../../b', '~/x', 'C:\\x'])
    assert.equal((await rest.send('POST', '/api/harvest', { project_path: path })).status, 400, path);
  assert.equal((await rest.send('POST', '/api/harvest', {})).status, 422);
  const projects = join(rest.server.folder, '.claude', 'projects');
  mkdirSync(projects, { recursive: true });
  symlinkSync('/etc', join(projects, 'out'));
  assert.equal((await rest.send('POST', '/api/harvest', { project_path: 'out' })).status, 400);
  assert.equal((await rest.send('POST', '/api/harvest', { project_path: '-work-none' })).status, 404);
  writeTranscript(join(projects, '-work-shop'));
  const { status, body } = await rest.send('POST', '/api/harvest', { project_path: '-work-shop' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.dry_run, body.results[0].found >= 1, body.results[0].stored], [true, true, 0]);
  const asked = await rest.send('POST', '/api/harvest', { project_path: '-work-shop', use_llm: true });
  assert.equal(asked.body.results[0].found, body.results[0].found);
  assert.match(asked.body.warnings.join(), /use_llm: No model is set/);
});

test('row 46: use_llm lets the model that is set judge what was found: what it calls worthless is not stored', async () => {
  writeTranscript(join(dirname(ltm.db), '.claude', 'projects', '-work-shop'));
  model.answers.push('{"score": 0.1}');
  const worthless = await ltm.document('memory_harvest', { use_llm: true, dry_run: false, all_projects: true });
  assert.deepEqual([worthless.results[0].found, worthless.results[0].stored, worthless.warnings], [0, 0, undefined]);
  assert.match(model.asked[0]!.body, /row level security/);
  const worthy = await ltm.document('memory_harvest', { use_llm: true, dry_run: false, all_projects: true });
  assert.equal(worthy.results[0].stored, 1);
  assert.equal((await ltm.call('memory_list', { tags: ['llm-verified'] })).total, 1);
});
