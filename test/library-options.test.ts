// Names that the library does not know are errors that say what was meant: a program in JavaScript has nobody else to tell it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { PLAIN_ENV } from './e2e/program.ts';
import { makeServeFolder, removeFolder, startServe } from './e2e/serve-process.ts';
import { makeFolder } from './open-test-engine.ts';
import { findPostgres, startPrivatePostgres } from './postgres/private-postgres.ts';

const LIBRARY = pathToFileURL(join(dirname(import.meta.dirname), 'src', 'index.ts')).href;

interface Ran {
  /** What each statement came to: a value, or the code and what was meant. */
  told: unknown[];
  /** What lies in the home of the person afterwards. */
  files: string[];
}

/** JavaScript as somebody writes it who has no compiler: each statement by itself, in a home of its own. */
function run(statements: readonly string[], before = ''): Ran {
  const home = makeFolder();
  const file = join(home, 'program.mjs');
  const each = statements.map(
    (one) =>
      `try { told.push(await (async () => ${one})()); } catch (e) { told.push([e.name, e.code, e.details?.field ?? null, e.details?.nearest ?? null]); }`,
  );
  writeFileSync(
    file,
    `import { openMemory } from '${LIBRARY}';\nconst told = [];\n${before}\n${each.join('\n')}\nconsole.log(JSON.stringify(told));\nprocess.exit(0);`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [file], {
    cwd: home,
    env: { ...PLAIN_ENV, HOME: home },
    encoding: 'utf8',
  });
  assert.notEqual(stdout, '', stderr);
  const files = readdirSync(home, { recursive: true }).map(String);
  return { told: JSON.parse(stdout), files: files.filter((name) => name !== 'program.mjs') };
}

const refused = (field: string | null, nearest: string | null = null) => [
  'EngineError',
  'invalid_input',
  field,
  nearest,
];

test('an option of openMemory that does not exist is refused with the one that was meant, and opens nothing', () => {
  const { told, files } = run([
    "openMemory({ path: ':memory:' })",
    "openMemory({ databse: ':memory:' })",
    "openMemory({ db: ':memory:' })",
    "openMemory({ file: 'x.db' })",
    "openMemory({ url: 'http://127.0.0.1:1' })",
    "openMemory({ database: ':memory:', onDuplicate: 'refuse' })",
    "openMemory({ database: ':memory:', verbose: true })",
    "openMemory(':memory:')",
    'openMemory(null)',
    "openMemory({}, { database: ':memory:' })",
    "openMemory({ database: '' })",
    'openMemory({ database: 5 })',
    "openMemory({ token: 'ltmk' })",
    "openMemory({ database: ':memory:', server: 'http://127.0.0.1:1', token: 't' })",
    "openMemory({ server: 'http://127.0.0.1:1', token: 't', settings: { on_duplicate: 'refuse' } })",
  ]);
  assert.deepEqual(told, [
    refused('path', 'database'),
    refused('databse', 'database'),
    refused('db', 'database'),
    refused('file', 'database'),
    refused('url', 'server'),
    refused('onDuplicate', 'settings'),
    refused('verbose'),
    refused(null),
    refused(null),
    refused('openMemory'),
    refused('database'),
    refused('database'),
    refused('token'),
    refused('database'),
    refused('settings'),
  ]);
  assert.deepEqual(files, []);
});

test('a setting that does not exist, or that is an option, is refused, and so is a value that it cannot have', () => {
  const { told, files } = run([
    "openMemory({ database: ':memory:', settings: { onDuplicate: 'refuse' } })",
    "openMemory({ database: ':memory:', settings: { on_duplicat: 'refuse' } })",
    "openMemory({ database: ':memory:', settings: { colour: 'red' } })",
    "openMemory({ settings: { db: ':memory:' } })",
    "openMemory({ database: ':memory:', settings: { server: 'http://127.0.0.1:1' } })",
    "openMemory({ database: ':memory:', settings: [] })",
    "openMemory({ database: ':memory:', settings: { on_duplicate: 'maybe' } }).catch((e) => { throw Object.assign(e, { details: {} }) })",
  ]);
  assert.deepEqual(told, [
    refused('onDuplicate', 'on_duplicate'),
    refused('on_duplicat', 'on_duplicate'),
    refused('colour'),
    refused('db', 'database'),
    refused('server', 'server'),
    refused(null),
    refused(null),
  ]);
  assert.deepEqual(files, []);
});

/** Field by field, on whatever `memory` is. */
const CALLS: readonly [statement: string, told: unknown][] = [
  ["memory.store({ content: 'a', tag: 'x' })", refused('tag', 'tags')],
  ["memory.store({ contnt: 'a' })", refused('contnt', 'content')],
  ["memory.store({ content: 'a', valid_until: '2030-01-01' })", refused('valid_until', 'validUntil')],
  ["memory.store('a', { tags: ['x'] })", refused('store')],
  ['memory.store(5)', refused(null)],
  ["memory.search({ query: 'a', limitt: 3 })", refused('limitt', 'limit')],
  ["memory.search('a', { limit: 3 })", refused('search')],
  ["memory.list({ tagz: 'x' })", refused('tagz', 'tags')],
  ["memory.update('a', { contents: 'b' })", refused('contents', 'content')],
  ["memory.update('a', 'b')", refused('changes')],
  ["memory.delete({ tgs: ['x'] })", refused('tgs', 'tags')],
  ["memory.verbs.storeMemories({ memories: [{ content: 'a' }, { text: 'b' }] })", refused('text')],
  ["memory.verbs.listVersions({ id: 'a' })", refused('id')],
  ["memory.verbs.deleteMemories({ dry_run: true, tags: 'x' })", refused('dry_run', 'dryRun')],
  ['memory.verbs.checkHealth().then(() => "healthy")', 'healthy'],
  [
    "memory.store({ content: 'known', tags: ['x'], project: undefined, colour: undefined }).then((s) => s.outcome)",
    'stored',
  ],
  ['memory.list().then((l) => l.total)', 1],
  [
    'memory.verbs.exportRecords({}).then(async (lines) => { let n = 0; for await (const _ of lines) n++; return n > 0; })',
    true,
  ],
  [
    'memory.verbs.exportRecords({}).then((lines) => memory.verbs.importRecords({ lines, dryRun: true, onProgress() {} })).then((r) => r.problems.length)',
    0,
  ],
  [
    "memory.verbs.ingestDocument({ name: 'a.md', bytes: new TextEncoder().encode('# A\\n\\nText'), mediaType: 'text/markdown' }).then((d) => d.outcome)",
    'ingested',
  ],
];

function callsOn(open: string): void {
  const { told } = run(
    CALLS.map(([statement]) => statement),
    `const memory = await openMemory(${open});`,
  );
  assert.deepEqual(
    told.map((one, at) => [CALLS[at]![0], one]),
    CALLS,
  );
}

test('a field that a call does not know is refused in memory, in a file and on a server alike, and nothing is written', async (t) => {
  callsOn("{ database: ':memory:' }");
  callsOn("{ database: 'notes.db' }");
  const key = 'a-key-that-is-long-enough';
  const folder = makeServeFolder(null);
  const server = await startServe(folder, [], { MCP_API_KEY: key });
  t.after(async () => {
    await server.stop();
    removeFolder(folder);
  });
  callsOn(`{ server: '${server.url}', token: '${key}' }`);
});

const found = findPostgres();
test('a field that a call does not know is refused on PostgreSQL', {
  skip: 'missing' in found ? found.missing : false,
}, async (t) => {
  const postgres = await startPrivatePostgres();
  t.after(() => postgres.stop());
  callsOn(`{ database: '${postgres.url()}' }`);
});

test('a memory in memory leaves nothing on the disk, and begins empty each time', () => {
  const { told, files } = run([
    "openMemory({ database: ':memory:' }).then(async (m) => { await m.store('gone'); const { total } = await m.list(); await m.close(); return total; })",
    "openMemory({ database: ':memory:', settings: { on_duplicate: 'refuse' } }).then(async (m) => { const { total } = await m.list(); await m.close(); return total; })",
    "Promise.all([1, 2].map(() => openMemory({ database: ':memory:' }))).then(async ([a, b]) => { await a.store('only in a'); return [(await a.list()).total, (await b.list()).total]; })",
  ]);
  assert.deepEqual(told, [1, 0, [1, 0]]);
  assert.deepEqual(files, []);
});
