import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import type { Imported, ImportedMemory } from './imported.ts';
import { lookAt, recogniseImporter } from './importer-table.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-importers-'));
after(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, content: string): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function database(name: string, sql: string): string {
  const file = join(home, name);
  const made = new DatabaseSync(file);
  made.exec(sql);
  made.close();
  return file;
}

interface Read {
  system: string;
  memories: ImportedMemory[];
  items: Imported[];
}

async function read(path: string): Promise<Read> {
  const place = lookAt(path);
  const importer = await recogniseImporter(place);
  assert.ok(importer, `${path} is recognised`);
  const items: Imported[] = [];
  for await (const item of importer.read(place)) items.push(item);
  return { system: importer.name, items, memories: items.flatMap((item) => ('memory' in item ? [item.memory] : [])) };
}

const relationsOf = ({ items }: Read) =>
  items.flatMap((item) =>
    'relation' in item ? [`${item.relation.from} ${item.relation.type} ${item.relation.to}`] : [],
  );
const leftOutOf = ({ items }: Read) =>
  items.flatMap((item) => ('leftOut' in item ? [`${item.leftOut}: ${item.why}`] : []));

const SERVICE_TABLES = `CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL,
    tags TEXT, memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT, updated_at_iso TEXT,
    deleted_at REAL DEFAULT NULL, superseded_by TEXT);
  CREATE TABLE memory_graph (source_hash TEXT, target_hash TEXT, similarity REAL, connection_types TEXT, metadata TEXT,
    created_at REAL, relationship_type TEXT DEFAULT 'related');`;

test('mcp-memory-service: the database with tags, metadata, quality, deletions and its graph', async () => {
  const found = await read(
    database(
      'sqlite_vec.db',
      `${SERVICE_TABLES}
      INSERT INTO memories (content_hash, content, tags, memory_type, metadata, created_at, updated_at, deleted_at) VALUES
        ('h1', 'Deploys are on Thursday', 'release,ops', 'decision', '{"quality_score":0.9,"who":"ada"}', 1700000000.5, 1700000100, NULL),
        ('h2', 'It was on Friday', '', NULL, NULL, 1600000000, 1600000000, 1700000000);
      INSERT INTO memory_graph VALUES ('h1', 'h2', 0.5, '[]', NULL, 1700000000, 'supersedes');`,
    ),
  );
  assert.equal(found.system, 'mcp-memory-service');
  assert.deepEqual(found.memories[0], {
    id: 'h1',
    content: 'Deploys are on Thursday',
    type: 'decision',
    tags: ['release', 'ops'],
    metadata: { who: 'ada' },
    project: null,
    conversation: null,
    createdAt: 1_700_000_000_500,
    updatedAt: 1_700_000_100_000,
    deletedAt: null,
    supersededBy: null,
    quality: 0.9,
  });
  assert.equal(found.memories[1]?.deletedAt, 1_700_000_000_000);
  assert.deepEqual(relationsOf(found), ['h1 supersedes h2']);
});

test('mcp-memory-service: its exports, and an SQL export of its Cloudflare database', async () => {
  const exported = await read(
    write(
      'export.json',
      JSON.stringify({
        export_metadata: { source_machine: 'm' },
        memories: [
          {
            content: 'A',
            content_hash: 'h',
            tags: ['x'],
            created_at: 1.7e9,
            memory_type: 'note',
            metadata: {},
            store: 'work',
          },
        ],
      }),
    ),
  );
  assert.deepEqual(
    [exported.system, exported.memories[0]?.tags, exported.memories[0]?.project],
    ['mcp-memory-service', ['x', 'source:m'], 'work'],
  );
  const dump = await read(
    write(
      'd1.sql',
      `PRAGMA defer_foreign_keys=TRUE;
CREATE TABLE memories (\n id INTEGER PRIMARY KEY, content_hash TEXT UNIQUE NOT NULL, -- the hash
 content TEXT NOT NULL, created_at REAL NOT NULL, metadata_json TEXT, CHECK (id > 0));
INSERT INTO "memories" ("id","content_hash","content","created_at","metadata_json") VALUES(1,'h','It''s; a "test", (really)',1700000000,'{"a":1}');
CREATE TABLE tags (id INTEGER, name TEXT);
INSERT INTO tags VALUES(7,'ops'),(8,NULL);
CREATE TABLE memory_tags (memory_id INTEGER, tag_id INTEGER);
INSERT INTO memory_tags VALUES(1,7);`,
    ),
  );
  const [memory] = dump.memories;
  assert.deepEqual([memory?.content, memory?.tags, memory?.metadata], [`It's; a "test", (really)`, ['ops'], { a: 1 }]);
});

test('LongMem and claude-mem: what was observed, asked and summed up, with session and project', async () => {
  const longmem = await read(
    database(
      'memory.db',
      `CREATE TABLE sessions (id INTEGER, opencode_session_id TEXT, project TEXT);
      CREATE TABLE observations (id INTEGER, session_id INTEGER, tool_name TEXT, tool_input TEXT, tool_output TEXT, compressed_summary TEXT,
        observation_type TEXT, files_referenced TEXT, concepts TEXT, prompt_number INTEGER, created_at TEXT);
      CREATE TABLE user_prompts (id INTEGER, session_id INTEGER, prompt TEXT, prompt_number INTEGER, created_at TEXT);
      INSERT INTO sessions VALUES (1, 's-1', 'shop');
      INSERT INTO observations VALUES (5, 1, 'Bash', '{"command":"npm test"}', 'ok', NULL, NULL, '["a.ts"]', NULL, NULL, '2026-01-02 03:04:05');
      INSERT INTO user_prompts VALUES (1, 1, 'Run the tests', 12, '2026-01-02 03:04:00');`,
    ),
  );
  assert.equal(longmem.system, 'longmem');
  const [tool, prompt] = longmem.items.map((item) => ('event' in item ? item.event : null));
  assert.deepEqual(
    [tool?.tool, tool?.project, tool?.session, tool?.at],
    [{ name: 'Bash', input: { command: 'npm test' }, output: 'ok' }, 'shop', 's-1', Date.UTC(2026, 0, 2, 3, 4, 5)],
  );
  assert.deepEqual(
    [prompt?.event, prompt?.text, prompt?.key, prompt?.prompt, tool?.prompt],
    ['prompt', 'Run the tests', 'longmem:prompt:s-1:1', 12, undefined],
  );
  const claudeMem = await read(
    database(
      'claude-mem.db',
      `CREATE TABLE sdk_sessions (id INTEGER, content_session_id TEXT, memory_session_id TEXT, project TEXT);
      CREATE TABLE observations (id INTEGER, memory_session_id TEXT, project TEXT, type TEXT, title TEXT, subtitle TEXT, narrative TEXT, facts TEXT,
        concepts TEXT, files_read TEXT, files_modified TEXT, created_at TEXT, created_at_epoch INTEGER);
      CREATE TABLE session_summaries (id INTEGER, memory_session_id TEXT, project TEXT, request TEXT, learned TEXT, next_steps TEXT, created_at_epoch INTEGER);
      INSERT INTO sdk_sessions VALUES (1, 'c', 'm', 'shop');
      INSERT INTO observations VALUES (1, 'm', NULL, 'bugfix', 'Pool closed twice', NULL, 'It hung.', '["Fact one"]', '["pool"]', '[]', '["db.ts"]', NULL, 1700000000000);
      INSERT INTO session_summaries VALUES (1, 'm', 'shop', 'Fix the pool', 'Close it once', NULL, 1700000000000);`,
    ),
  );
  assert.deepEqual(
    claudeMem.memories.map(({ content, type, project, tags }) => [content, type, project, tags]),
    [
      ['Pool closed twice\nIt hung.\n- Fact one\nFiles: db.ts', 'bugfix', 'shop', ['pool']],
      ['Asked: Fix the pool\nLearned: Close it once', 'session', 'shop', undefined],
    ],
  );
});

test('the networked server and the Go server: repositories are projects, packets are packets', async () => {
  const networked = await read(
    database(
      'ltm_store.db',
      `CREATE TABLE memories (id TEXT, user_key TEXT, repo_id TEXT, content TEXT, tags TEXT, created_at TEXT);
      INSERT INTO memories VALUES ('1', 'ada', 'shop', 'Port 8443', '["ops"]', '2026-01-02T00:00:00Z');`,
    ),
  );
  const [memory] = networked.memories;
  assert.deepEqual(
    [networked.system, memory?.project, memory?.author, memory?.tags],
    ['networked', 'shop', 'ada', ['ops']],
  );
  const server = await read(
    database(
      'ltm.db',
      `CREATE TABLE packets (id TEXT, created_at TEXT, goal TEXT, body BLOB, deleted_at TEXT, owner_id TEXT, team_id TEXT);
      CREATE TABLE tokens (token_hash TEXT); CREATE TABLE users (id TEXT, display TEXT);
      INSERT INTO users VALUES ('u', 'Ada'); INSERT INTO packets VALUES ('P1', '2026-01-02T00:00:00Z', 'g', x'7b7d', NULL, 'u', NULL), ('P2', '2026-01-03', 'g', x'7b7d', '2026', 'u', NULL);`,
    ),
  );
  assert.deepEqual(server.items[0], { packet: '{}', owner: 'Ada', receivedAt: Date.UTC(2026, 0, 2) });
  assert.deepEqual(leftOutOf(server), [
    'packet P2: it was deleted there',
    '1 person: create them here with `ltm users`, `ltm teams` and `ltm tokens`',
  ]);
});

test('the reference server, mem0, ChatGPT and Claude', async () => {
  const graph = await read(
    write(
      'memory.jsonl',
      '{"type":"entity","name":"Ada","entityType":"person","observations":["Likes tea"]}\n{"type":"entity","name":"billing","entityType":"service","observations":[]}\n{"type":"relation","from":"Ada","to":"billing","relationType":"owns"}\nnot json\n',
    ),
  );
  assert.deepEqual(
    [graph.memories[0]?.content, relationsOf(graph)],
    ['Ada (person)\n- Likes tea', ['Ada owns billing']],
  );
  assert.deepEqual(leftOutOf(graph), ['line 4: it is neither an entity nor a relation']);
  const mem0 = await read(
    write(
      'mem0.json',
      JSON.stringify({
        results: [
          { id: 'm', memory: 'Likes tea', user_id: 'ada', categories: ['food'], created_at: '2026-01-02T00:00:00Z' },
        ],
      }),
    ),
  );
  assert.deepEqual([mem0.system, mem0.memories[0]?.author, mem0.memories[0]?.tags], ['mem0', 'ada', ['food']]);
  const node = (id: string, role: string, text: string, at: number) => ({
    [id]: { message: { id, author: { role }, content: { parts: [text] }, create_time: at } },
  });
  const chat = await read(
    write(
      'chatgpt/conversations.json',
      JSON.stringify([
        {
          id: 'c',
          title: 'Tea',
          mapping: {
            ...node('b', 'assistant', 'Green.', 2),
            ...node('a', 'user', 'Which tea?', 1),
            ...node('s', 'system', 'x', 0),
          },
        },
      ]),
    ),
  );
  assert.deepEqual(
    chat.memories.map(({ author, content, conversation }) => [author, content, conversation]),
    [
      ['user', 'Which tea?', 'c'],
      ['ChatGPT', 'Green.', 'c'],
    ],
  );
  write(
    'claude/conversations.json',
    JSON.stringify([
      {
        uuid: 'c',
        name: 'Tea',
        chat_messages: [{ uuid: 'a', sender: 'human', text: 'Which tea?', created_at: '2026-01-02T00:00:00Z' }],
      },
    ]),
  );
  write('claude/memories.json', JSON.stringify([{ conversations_memory: 'Likes tea.', project_memories: {} }]));
  const claude = await read(join(home, 'claude'));
  assert.deepEqual(
    [claude.system, claude.memories.map(({ content }) => content)],
    ['claude', ['Which tea?', 'Likes tea.']],
  );
});

test('Markdown: front matter, tags and links; hidden folders, links out of the folder and empty notes stay behind', async () => {
  write(
    'vault/Plan.md',
    '---\ntitle: The plan\ntags:\n  - release\n  - "ops"\naliases: [Roadmap]\ncreated: 2026-01-02\n---\nSee [[Deploy#How|how]]. #infra `#not`\n- depends on [[deploy]]\n',
  );
  write('vault/sub/Deploy.md', '# Deploy\nBack to [[roadmap]] and [[Nowhere]].');
  write('vault/empty.md', '---\ntitle: x\n---\n');
  write('vault/.obsidian/x.md', 'hidden');
  symlinkSync(home, join(home, 'vault', 'out'));
  const vault = await read(join(home, 'vault'));
  assert.deepEqual(
    vault.memories.map(({ id, title, tags, project, trust }) => [id, title, tags, project, trust]),
    [
      ['Plan.md', 'The plan', ['release', 'ops', 'infra'], 'vault', 'user'],
      ['sub/Deploy.md', 'Deploy', [], 'vault', 'user'],
    ],
  );
  assert.equal(vault.memories[0]?.createdAt, Date.UTC(2026, 0, 2));
  assert.deepEqual(relationsOf(vault), [
    'Plan.md mentions sub/Deploy.md',
    'Plan.md depends-on sub/Deploy.md',
    'sub/Deploy.md mentions Plan.md',
  ]);
  assert.deepEqual(leftOutOf(vault), ['empty.md: it has no text']);
  write('federated/_meta/workspaces.json', '{}');
  write('federated/workspaces/w1/identity.json', '{"project":"shop","tool":"codex"}');
  write('federated/workspaces/w1/knowledge/a.md', 'A note');
  write('federated/workspaces/w1/sessions/2026/01/s.jsonl.gz', '');
  const federated = await read(join(home, 'federated'));
  assert.deepEqual(
    federated.memories.map(({ id, project, agent, trust }) => [id, project, agent, trust]),
    [['w1/knowledge/a.md', 'shop', 'codex', 'agent']],
  );
  const sessions = federated.items.flatMap((item) => ('transcript' in item ? [item.transcript] : []));
  assert.deepEqual([sessions[0]?.session, sessions[0]?.tool, sessions[0]?.project], ['s', 'codex', 'shop']);
  assert.deepEqual(leftOutOf(federated), []);
});

test('federated-memory: what a link leads to is not read, wherever it stands', async () => {
  const outside = write('outside/secret.md', 'The word is heron.');
  write('outside/notes/b.md', 'The word is heron.');
  write('outside/identity.json', '{"project":"heron"}');
  write('linked/_meta/workspaces.json', '{}');
  write('linked/workspaces/w1/readme.md', '');
  const workspace = join(home, 'linked/workspaces/w1');
  symlinkSync(outside, join(workspace, 'overview.md'));
  symlinkSync(join(home, 'outside/notes'), join(workspace, 'knowledge'));
  symlinkSync(join(home, 'outside/identity.json'), join(workspace, 'identity.json'));
  const linked = await read(join(home, 'linked'));
  assert.deepEqual(linked.memories, []);
  assert.deepEqual(leftOutOf(linked), ['w1/overview.md: it is no file']);
  write('linked/workspaces/w2/overview.md', 'What it is about.');
  symlinkSync(join(home, 'outside/identity.json'), join(home, 'linked/workspaces/w2/identity.json'));
  const [own] = (await read(join(home, 'linked'))).memories;
  assert.deepEqual([own?.content, own?.project], ['What it is about.', 'w2']);
});

test('notes: brackets that open and never close are read in one go', async () => {
  const started = process.cpuUsage();
  const found = await read(write('brackets/a.md', `${'[['.repeat(100_000)} [[Plan]] ${'[[a|'.repeat(50_000)}`));
  const { user } = process.cpuUsage(started);
  assert.equal(found.memories.length, 1);
  assert.ok(user < 2_000_000, `${user / 1000} ms`);
});
