import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { chooseTranscripts } from '../features/harvest/choose-transcripts.ts';
import { nameProject, projectAt } from '../features/harvest/name-project.ts';
import { TRANSCRIPT_AGENTS, type TranscriptFile } from './agent-transcript.ts';
import { readTranscript, recogniseTranscript } from './find-transcripts.ts';
import { agentFolders } from './transcript-folders.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-transcripts-'));
after(() => rmSync(home, { recursive: true, force: true }));
const folders = agentFolders({ HOME: home });
const naming = { folders, repositoryOf: (folder: string) => folder };

function write(path: string, content: string | Buffer, changedAt = 0): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  utimesSync(file, changedAt, changedAt);
  return file;
}

const lines = (...objects: object[]): string => `${objects.map((one) => JSON.stringify(one)).join('\n')}\n`;
const saidIn = async (file: TranscriptFile) =>
  (await readTranscript(file))!.said.map(({ by, text }) => `${by}: ${text}`);

const AT = '2026-03-01T10:00:00.000Z';
const claude = { sessionId: 's1', cwd: '/work/shop', timestamp: AT };
const block = (type: string, text: string) => ({ type, text });

test("of Claude Code's lines it reads what people and the model said, each once", async () => {
  const path = write(
    '.claude/projects/-work-shop/s1.jsonl',
    `${lines(
      { type: 'queue-operation', content: 'not said' },
      {
        ...claude,
        type: 'user',
        uuid: 'a',
        message: { content: 'Use pnpm.<system-reminder>not said</system-reminder>' },
      },
      { ...claude, type: 'user', uuid: 'b', isMeta: true, message: { content: 'not said' } },
      { ...claude, type: 'attachment', uuid: 'c', message: { content: 'not said' } },
      {
        ...claude,
        type: 'assistant',
        uuid: 'd',
        message: { content: [block('thinking', 'not said'), block('text', 'Done.\n```\nnot said\n```\nNext?')] },
      },
      { ...claude, type: 'assistant', uuid: 'd', message: { content: [block('text', 'Done.')] } },
      { ...claude, type: 'user', uuid: 'e', message: { content: [{ type: 'tool_result', content: 'not said' }] } },
      { ...claude, type: 'assistant', uuid: 'f', isSidechain: true, message: { content: [block('text', 'not said')] } },
      { ...claude, type: 'user', uuid: 'g', message: { content: 'The password is the dog’s name #skip' } },
    )}{"type":"user","uuid":"h","message":{"con`,
    5,
  );
  const read = await readTranscript({ agent: 'claude-code', path, changedAt: 0 });
  assert.deepEqual(read, {
    agent: 'claude-code',
    session: 's1',
    directory: '/work/shop',
    said: [
      { id: 'a', by: 'user', text: 'Use pnpm.', at: Date.parse(AT) },
      { id: 'd', by: 'agent', text: 'Done.', at: Date.parse(AT) },
    ],
    unreadable: 1,
  });
});

const message = (role: string, text: string, kinds?: string[]) => ({
  type: 'response_item',
  timestamp: AT,
  payload: {
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    ...(kinds && { internal_chat_message_metadata_passthrough: { content_item_kinds: kinds } }),
  },
});
const rollout = lines(
  { type: 'session_meta', payload: { id: 's2', cwd: '/work/shop' } },
  message('developer', 'not said'),
  message('user', 'injected', ['hooks.additional_context']),
  message('user', '<environment_context>not said</environment_context>'),
  message('user', 'Why does it hang?', ['user.text']),
  { type: 'event_msg', payload: { type: 'agent_message', message: 'A lock.' } },
  message('assistant', 'A lock.'),
);

test("of Codex's rollouts it reads messages that were typed and answers, compressed or not", async () => {
  for (const [name, content] of [
    ['rollout-2026-03-01T10-00-00-s2.jsonl', rollout],
    ['rollout-2026-03-02T10-00-00-s2.jsonl.zst', zstdCompressSync(rollout)],
  ] as const) {
    const path = write(`.codex/sessions/2026/03/01/${name}`, content, 4);
    assert.deepEqual(await saidIn({ agent: 'codex', path, changedAt: 0 }), [
      'user: Why does it hang?',
      'agent: A lock.',
    ]);
  }
});

test("of Gemini's chats it reads the last form of each message, and learns the directory from its list of projects", async () => {
  write('.gemini/projects.json', JSON.stringify({ projects: { '/work/shop': 'shop' } }));
  const path = write(
    '.gemini/tmp/shop/chats/session-2026-03-01T10-00-s3.jsonl',
    lines(
      { sessionId: 's3', projectHash: 'x' },
      {
        $set: {
          messages: [{ id: 'a', type: 'user', content: [{ text: '<session_context>not said</session_context>' }] }],
        },
      },
      { id: 'b', type: 'user', content: [{ text: 'Go on. <hook_context>not said</hook_context>' }] },
      { id: 'c', type: 'gemini', content: 'Half' },
      { id: 'c', type: 'gemini', content: 'All of it.' },
    ),
    3,
  );
  const read = (await readTranscript({ agent: 'gemini', path, changedAt: 0 }))!;
  assert.deepEqual([read.session, read.directory], ['s3', '/work/shop']);
  assert.deepEqual(await saidIn({ agent: 'gemini', path, changedAt: 0 }), ['user: Go on.', 'agent: All of it.']);
});

test("OpenCode's database is read session by session", async () => {
  const path = write('.local/share/opencode/opencode.db', '', 2);
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, time_updated INTEGER);
    CREATE TABLE message (id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
    INSERT INTO session VALUES ('s4', NULL, '/work/shop', 2000), ('child', 's4', '/work/shop', 3000);
    INSERT INTO message VALUES ('m1', 1, '{"role":"user"}'), ('m2', 2, '{"role":"assistant"}');
    INSERT INTO part VALUES ('p1', 'm1', 's4', '{"type":"text","text":"Hello"}'),
      ('p2', 'm1', 's4', '{"type":"text","synthetic":true,"text":"not said"}'),
      ('p3', 'm2', 's4', '{"type":"step-start"}'), ('p4', 'm2', 's4', '{"type":"text","text":"Hi."}'), ('p5', 'm2', 's4', '{')`);
  database.close();
  const [file, ...others] = await recogniseTranscript(path);
  assert.equal(others.length, 0);
  assert.deepEqual(await saidIn(file!), ['user: Hello', 'agent: Hi.']);
  assert.equal((await readTranscript(file!))!.unreadable, 1);
});

test('a chat that Cursor has exported is read, other Markdown is not', async () => {
  const chat = write('chat.md', '# Chat\n_Exported_\n\n---\n\n**User**\n\nWhy?\n\n---\n\n**Cursor**\n\nBecause.\n');
  const [file] = await recogniseTranscript(chat);
  assert.deepEqual(await saidIn(file!), ['user: Why?', 'agent: Because.']);
  const [other] = await recogniseTranscript(write('notes.md', '# Notes\n'));
  assert.equal(await readTranscript(other!), null);
});

test('files are told apart by their names and first lines, and what is none is refused', async () => {
  const [codex] = await recogniseTranscript(write('renamed.jsonl', rollout));
  assert.equal(codex?.agent, 'codex');
  await assert.rejects(recogniseTranscript(write('other.jsonl', '{"a":1}\n')), /no transcript of an agent/);
  await assert.rejects(recogniseTranscript(join(home, 'missing.jsonl')), /There is no file/);
});

test('the newest sessions come first, those of a project alone where one is asked for, and those of an id', async () => {
  write(
    '.claude/projects/-work-other/s9.jsonl',
    lines({ ...claude, cwd: '/work/other', type: 'user', uuid: 'a', message: { content: 'x' } }),
    9,
  );
  const names = async (choice: Partial<Parameters<typeof chooseTranscripts>[1]>) =>
    (await chooseTranscripts(folders, { limit: 2, project: null, ...choice })).files.map(
      ({ agent, path }) => `${agent} ${path.slice(-9)}`,
    );
  assert.deepEqual(await names({ agents: ['claude-code'] }), ['claude-code /s9.jsonl', 'claude-code /s1.jsonl']);
  const shop = await chooseTranscripts(folders, { limit: 50, project: projectAt('/work/shop', naming) });
  assert.deepEqual(new Set(shop.files.map(({ agent }) => agent)), new Set(TRANSCRIPT_AGENTS.slice(0, 4)));
  assert.equal(
    shop.files.some(({ path }) => path.endsWith('s9.jsonl')),
    false,
  );
  assert.deepEqual(await names({ sessions: ['s9'] }), ['claude-code /s9.jsonl']);
  assert.deepEqual(await names({ sessions: ['s9'], project: projectAt('/work/shop', naming) }), []);
  assert.equal(shop.total, 6);
});

test('a project is named by its folder, by the folder of its transcripts or by the name of that folder', async () => {
  const place = join(folders.claude, 'projects', '-work-other');
  const files = async (given: string): Promise<string[]> => {
    const project = await nameProject(given, naming);
    return (await chooseTranscripts(folders, { limit: 50, project })).files.map(({ path }) => path.slice(-9));
  };
  for (const given of [place, `${place}/`, '-work-other', '/work/other', ' /work/other '])
    assert.deepEqual(await files(given), ['/s9.jsonl'], given);
  write('elsewhere/kept.jsonl', lines({ type: 'user', message: { content: 'x' } }));
  write('elsewhere/rows.jsonl', lines({ price: 3 }));
  assert.deepEqual(await files(join(home, 'elsewhere')), ['ept.jsonl']);
  mkdirSync(join(home, 'empty'));
  assert.deepEqual(await files(join(home, 'empty')), []);
  for (const given of ['/work/none', '-work-none', '~/none'])
    await assert.rejects(files(given), { code: 'not_found', message: new RegExp(`There is no folder ${given},`) });
  await assert.rejects(files(join(home, 'elsewhere', 'rows.jsonl')), { code: 'invalid_input' });
});

test('a transcript that does not say where it was made belongs to the project that its folder is named after', async () => {
  write('.claude/projects/-work-my-app/s7.jsonl', lines({ type: 'user', uuid: 'a', message: { content: 'x' } }));
  const chosen = await chooseTranscripts(folders, { limit: 5, project: projectAt('/work/my.app', naming) });
  assert.deepEqual(
    chosen.files.map(({ path }) => path.slice(-9)),
    ['/s7.jsonl'],
  );
});
