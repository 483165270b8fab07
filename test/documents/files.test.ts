import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import { findFiles, readFound } from '../../src/features/documents/find-files.ts';
import { readIgnoreRules } from '../../src/features/documents/ignore-rules.ts';
import { type IngestFilesOptions, ingestFiles } from '../../src/features/documents/ingest-files.ts';
import { watchFiles } from '../../src/features/documents/watch-files.ts';
import { EngineError } from '../../src/model/errors.ts';
import { makeCaller, makeFolder, openTestEngine } from '../open-test-engine.ts';

const caller = makeCaller('cli');

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function optionsFor(engine: Engine): IngestFilesOptions {
  return {
    labels: {},
    maxBytes: 1000,
    uriOf: (path) => path,
    ingest: (input) => engine.ingestDocument(caller, input),
  };
}

test('of a folder everything that is passed over is named with its reason', () => {
  const folder = makeFolder();
  const outside = makeFolder();
  write(outside, { 'secret.md': '# Outside' });
  write(folder, {
    'a.md': '# A',
    'sub/b.txt': 'B',
    'sub/c.png': 'no text',
    'node_modules/x/readme.md': '# Dependency',
    '.git/config.md': '# Git',
    '.env': 'KEY=1',
    'server.pem': 'key',
    'large.md': 'x'.repeat(2000),
    'empty.md': '',
    '.gitignore': 'drafts/\n*.log\n!keep.log\n',
    'drafts/d.md': '# Draft',
    'run.log': 'log',
    'keep.log': 'kept',
    'sub/.ltmignore': 'hidden-*.md\n',
    'sub/hidden-1.md': '# Hidden',
  });
  symlinkSync(join(outside, 'secret.md'), join(folder, 'out.md'));
  symlinkSync(outside, join(folder, 'outside'));
  symlinkSync(join(folder, 'a.md'), join(folder, 'link.md'));
  const found = [...findFiles(folder, { maxBytes: 1000 })].map((file) => [
    relative(folder, file.path),
    'skipped' in file ? file.skipped : 'read',
  ]);
  assert.deepEqual(Object.fromEntries(found), {
    '.env': 'secret',
    '.git': 'hidden',
    '.gitignore': 'hidden',
    'a.md': 'read',
    drafts: 'ignored',
    'empty.md': 'empty',
    'keep.log': 'read',
    'large.md': 'too_large',
    'link.md': 'read',
    node_modules: 'hidden',
    'out.md': 'link',
    outside: 'link',
    'run.log': 'ignored',
    'server.pem': 'secret',
    'sub/.ltmignore': 'hidden',
    'sub/b.txt': 'read',
    'sub/c.png': 'unknown_format',
    'sub/hidden-1.md': 'ignored',
  });
  const only = [...findFiles(folder, { maxBytes: 1000, endings: ['.md'], recursive: false, maxFiles: 1 })];
  assert.deepEqual(
    only.filter((file) => !('skipped' in file)).map(({ path }) => relative(folder, path)),
    ['a.md'],
  );
  assert.deepEqual(
    [...findFiles(join(folder, '.env'), { maxBytes: 1000 })].map((file) => 'skipped' in file),
    [true],
  );
});

test('a link is judged by where it leads, also when it is named itself, and is not followed to another place later', async () => {
  const [folder, outside] = [makeFolder(), makeFolder()];
  write(outside, { id_rsa: 'key', 'note.md': '# Outside', 'sub/c.md': '# Outside' });
  write(folder, {
    '.env': 'KEY=1',
    'keys/server.pem': 'key',
    '.notes/n.md': '# Hidden',
    'dist/d.md': '# Built',
    '.gitignore': '*.draft.md\n',
    'x.draft.md': '# Draft',
    'sub/c.md': '# Inside',
    'a.md': '# A',
  });
  for (const [name, target] of [
    ['env.md', '.env'],
    ['pem.md', 'keys/server.pem'],
    ['hidden.md', '.notes/n.md'],
    ['built.md', 'dist/d.md'],
    ['draft.md', 'x.draft.md'],
  ] as const)
    symlinkSync(join(folder, target), join(folder, name));
  symlinkSync(join(outside, 'id_rsa'), join(outside, 'plain.md'));
  symlinkSync(join(folder, 'env.md'), join(folder, 'twice.md'));
  const all = [...findFiles(folder, { maxBytes: 1000 })];
  const reasons = Object.fromEntries(
    all.flatMap((file) => ('skipped' in file ? [[relative(folder, file.path), file.skipped]] : [])),
  );
  assert.deepEqual(
    ['env.md', 'pem.md', 'hidden.md', 'built.md', 'draft.md', 'twice.md'].map((name) => reasons[name]),
    ['secret', 'secret', 'hidden', 'hidden', 'ignored', 'secret'],
  );
  const [named] = [...findFiles(join(outside, 'plain.md'), { maxBytes: 1000 })];
  assert.equal(named !== undefined && 'skipped' in named && named.skipped, 'secret');

  const found = new Map(all.flatMap((file) => ('skipped' in file ? [] : [[relative(folder, file.path), file]])));
  assert.equal(String(await readFound(found.get('a.md')!, 1000)), '# A');
  rmSync(join(folder, 'a.md'));
  symlinkSync(join(outside, 'note.md'), join(folder, 'a.md'));
  await assert.rejects(readFound(found.get('a.md')!, 1000));
  rmSync(join(folder, 'sub'), { recursive: true });
  symlinkSync(join(outside, 'sub'), join(folder, 'sub'));
  await assert.rejects(readFound(found.get('sub/c.md')!, 1000), /moved or replaced/);
});

test('rules of the repository above a folder hold in it', () => {
  const folder = makeFolder();
  write(folder, { '.git/HEAD': 'x', '.gitignore': '/docs/private/\n', 'docs/a.md': '# A', 'docs/private/b.md': '# B' });
  const found = [...findFiles(join(folder, 'docs'), { maxBytes: 1000 })];
  assert.deepEqual(
    found.map((file) => [relative(folder, file.path), 'skipped' in file]),
    [
      ['docs/a.md', false],
      ['docs/private', true],
    ],
  );
});

const PATTERNS = [
  '*.tmp',
  '/build',
  'logs/',
  '**/cache/*.md',
  'doc/**/old',
  '!important.tmp',
  '\\#odd',
  'b[!a]r',
  'x/**',
  'v[0-9].?d',
  'a*b*c',
];
const PATHS = [
  'a.tmp',
  'x/a.tmp',
  'build',
  'y/build',
  'z/cache/a.md',
  'cache/a.md',
  'cache/sub/a.md',
  'doc/old',
  'doc/a/b/old',
  'important.tmp',
  '#odd',
  'bor',
  'bar',
  'x',
  'x/deep/file',
  'v1.md',
  'v12.md',
  'aXbYc',
  'acb',
  'logs',
  'y/logs/f',
];

test('patterns of ignore files mean what Git means by them', () => {
  const folder = makeFolder();
  const git = (args: string[], input?: string) =>
    spawnSync('git', args, { cwd: folder, encoding: 'utf8', input, env: { PATH: process.env.PATH, HOME: folder } });
  git(['init', '-q']);
  writeFileSync(join(folder, '.gitignore'), `${PATTERNS.join('\n')}\n`);
  const said = new Set(git(['check-ignore', '--no-index', '--stdin'], PATHS.join('\n')).stdout.split('\n'));
  const { isIgnored } = readIgnoreRules(PATTERNS.join('\n'));
  // as a walk asks: each folder on the way, then the file
  const isLeftOut = (path: string): boolean =>
    path.split('/').some((_, i, steps) => isIgnored(steps.slice(0, i + 1).join('/'), i < steps.length - 1) === true);
  for (const path of PATHS) assert.equal(isLeftOut(path), said.has(path), path);
  assert.equal(isIgnored('logs', true), true);
});

test('a pattern that is made to take long takes no longer than others', () => {
  const { isIgnored } = readIgnoreRules(`${'*a'.repeat(240)}b\n${'**/'.repeat(120)}x`);
  const before = process.cpuUsage();
  isIgnored(Array.from({ length: 100 }, () => 'a'.repeat(200)).join('/'), false);
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 5_000_000);
});

test('a file that cannot be read is named, and the others are taken in; ingesting again changes nothing', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const folder = makeFolder();
  write(folder, { 'a.md': '# A\n\nText of a.', 'bad.json': '{', 'b.csv': 'x,y\n1,2\n' });
  const report = await ingestFiles([folder], optionsFor(engine));
  assert.deepEqual([report.files, report.ingested, report.failed.map(({ code }) => code)], [3, 2, ['invalid_input']]);
  const again = await ingestFiles([folder], optionsFor(engine));
  assert.deepEqual([again.ingested, again.unchanged, again.sections.added], [0, 2, 0]);
  const dry = await ingestFiles([folder], { ...optionsFor(engine), labels: { dryRun: true, tags: ['new'] } });
  assert.equal(dry.updated, 2);
  assert.deepEqual((await engine.listDocuments(caller, { filter: { tags: ['new'] } })).items, []);
});

test('what concerns all files ends the work instead of failing for each', async () => {
  const folder = makeFolder();
  write(folder, { 'a.md': '# A', 'b.md': '# B' });
  let asked = 0;
  const ingest = async (): Promise<never> => {
    asked++;
    throw new EngineError('storage_full', 'The disk is full.');
  };
  await assert.rejects(ingestFiles([folder], { labels: {}, maxBytes: 1000, uriOf: String, ingest }), /disk is full/);
  assert.equal(asked, 1);
});

test('watching takes in what changes, and removes what is gone', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const folder = makeFolder();
  write(folder, { 'a.md': '# A\n\nFirst.', 'b.md': '# B\n\nStays.' });
  const options = optionsFor(engine);
  await ingestFiles([folder], options);
  const stop = new AbortController();
  const told: string[] = [];
  let wake = (): void => {};
  const tell = (what: string): void => {
    told.push(what);
    wake();
  };
  const until = async (what: string): Promise<void> => {
    while (!told.includes(what)) await new Promise<void>((done) => (wake = done));
  };
  const watching = watchFiles([folder], {
    ...options,
    signal: stop.signal,
    async onGone(paths) {
      await engine.removeDocuments(caller, { refs: paths });
      for (const path of paths) tell(`gone ${relative(folder, path)}`);
    },
    onReport({ documents }) {
      for (const { path, outcome } of documents) tell(`${outcome} ${relative(folder, path)}`);
    },
  });
  write(folder, { 'a.md': '# A\n\nSecond, and longer.' });
  await until('updated a.md');
  write(folder, { 'sub/c.md': '# C\n\nNew.' });
  await until('ingested sub/c.md');
  rmSync(join(folder, 'b.md'));
  await until('gone b.md');
  stop.abort();
  await watching;
  const { items } = await engine.listDocuments(caller, {});
  assert.deepEqual(items.map(({ title }) => title).sort(), ['A', 'C']);
  assert.ok(!told.includes('updated b.md'));
});
