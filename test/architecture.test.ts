import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, sep } from 'node:path';
import { test } from 'node:test';
import { MEMORY_FIELDS } from '../src/model/memory-fields.ts';
import { KINDS } from './all-kinds.ts';

const ROOT = dirname(import.meta.dirname);

/** Who may import whom, by folder below src/; a path with a slash is one module. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  model: [],
  privacy: ['model'],
  capture: ['model', 'privacy', 'client/project-folder.ts', 'settings/user-folders.ts'],
  engine: ['model', 'privacy'],
  stores: ['model', 'engine/ports.ts', 'auth/ports.ts'],
  embedders: ['model', 'engine/ports.ts'],
  summarizers: ['model', 'engine/ports.ts', 'features/summaries/summarizer-port.ts'],
  pages: ['model', 'engine'],
  auth: ['model', 'engine'],
  evaluation: ['model', 'engine'],
  verbs: ['model', 'engine', 'auth'],
  mcp: ['model', 'privacy', 'engine', 'auth', 'verbs'],
  rest: ['model', 'privacy', 'engine', 'auth', 'verbs', 'pages'],
  compat: [
    'model',
    'privacy',
    'engine',
    'auth',
    'verbs',
    'mcp',
    'rest',
    'pages',
    'client',
    'transcripts',
    'capture',
    'documents',
  ],
  client: ['model', 'privacy', 'verbs'],
  setup: ['model'],
  transcripts: ['model', 'privacy'],
  importers: ['model', 'engine'],
  documents: [
    'model',
    'privacy',
    'features/documents/document-reader.ts',
    'model/read-front-matter.ts',
    'model/networks.ts',
    'auth/guarded-lookup.ts',
  ],
  cli: ['documents', 'model', 'privacy', 'client', 'setup', 'server', 'verbs', 'transcripts', 'capture', 'importers'],
  server: [
    'transcripts',

    'documents',
    'model',
    'privacy',
    'capture',
    'engine',
    'stores',
    'embedders',
    'summarizers',
    'auth',
    'evaluation',
    'verbs',
    'mcp',
    'rest',
    'compat',
    'pages',
    'client',
    'importers',
  ],
};

const CONFINED: { name: RegExp; to: RegExp }[] = [
  { name: /^node:sqlite$/, to: /^src\/(stores\/sqlite|transcripts|importers)\// },
  { name: /^@modelcontextprotocol\//, to: /^src\/(mcp|client)\// },
  { name: /^(pg|@electric-sql\/pglite)$/, to: /^src\/stores\/postgres\// },
  { name: /^(htmlparser2|unpdf(\/.*)?)$/, to: /^src\/documents\// },
  { name: /^oidc-provider$/, to: /^src\/auth\/oauth\// },
  { name: /^(hono|@hono\/.*|hono\/.*)$/, to: /^src\/(rest|server|pages|compat)\// },
];
const VAGUE_WORDS = /(^|-)(managers?|helpers?|utils?|processors?|base|impl|info|enhanced|v2|common|misc)(-|\.)/;

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

function importsOf(source: string): string[] {
  const found = source.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

const files = listFiles('src').map((path) => ({
  path,
  source: readFileSync(join(ROOT, path), 'utf8'),
  isTest: path.endsWith('.test.ts'),
}));
const shipped = files.filter((file) => !file.isTest);

function breaches(find: (file: { path: string; source: string }) => readonly string[], among = shipped): string[] {
  return among.flatMap((file) => find(file).map((what) => `${file.path}: ${what}`));
}

test('folders import only what the import table allows', () => {
  const found = breaches(({ path, source }) => {
    const folder = path.split('/')[1]!;
    if (path === 'src/index.ts') return [];
    const allowed = MAY_IMPORT[folder];
    if (allowed === undefined) return [`${folder} is not in the import table`];
    const targets = importsOf(source)
      .filter((name) => name.startsWith('.'))
      .map((name) => posix.relative('src', posix.join(posix.dirname(path), name)));
    return targets.filter(
      (target) => ![folder, ...allowed].some((one) => target === one || target.startsWith(`${one}/`)),
    );
  });
  assert.deepEqual(found, []);
});

test('the systems in compat know nothing of each other, so that each could be deleted', () => {
  const found = breaches(({ path, source }) => {
    const [, folder, system, file] = path.split('/');
    if (folder !== 'compat' || file === undefined) return [];
    const targets = importsOf(source).map((name) => posix.join(posix.dirname(path), name));
    return targets.filter((target) => target.startsWith('src/compat/') && !target.startsWith(`src/compat/${system}/`));
  });
  assert.deepEqual(found, []);
});

test('packages stay where they belong', () => {
  const found = breaches(({ path, source }) =>
    importsOf(source).filter((name) => CONFINED.some((rule) => rule.name.test(name) && !rule.to.test(path))),
  );
  assert.deepEqual(found, []);
});

test('the environment is read in settings/config.ts alone', () => {
  const found = breaches(({ path, source }) =>
    path !== 'src/settings/config.ts' && /\bprocess\.env\b/.test(source) ? ['process.env'] : [],
  );
  assert.deepEqual(found, []);
});

test('files are named in kebab-case, after what they do, and only the root has an index.ts', () => {
  const found = breaches(({ path }) => {
    const name = basename(path);
    const problems = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.ts$/.test(name) ? [] : ['not kebab-case'];
    if (VAGUE_WORDS.test(name)) problems.push('a vague name');
    if (name === 'index.ts' && path !== 'src/index.ts') problems.push('a second index.ts');
    return problems;
  }, files);
  assert.deepEqual(found, []);
});

test('nothing is exported by default, and nothing is exported wholesale', () => {
  const found = breaches(({ source }) => source.match(/^export default\b|^export \* from/gm) ?? [], files);
  assert.deepEqual(found, []);
});

test('nothing that is exported changes later: the published scripts hand on values', () => {
  const found = breaches(({ source }) => source.match(/^export (?:let|var)\b/gm) ?? [], files);
  assert.deepEqual(found, []);
});

test('what serves every kind of record asks the table of kinds and knows none of them', () => {
  const shared = /^src\/(engine\/(records|search|exchange|upkeep)\/|rest\/change-events\.ts)/;
  // `session` and `workspace` are fields of every record too.
  const telling = KINDS.map(({ name }) => name).filter((name) => !(name in MEMORY_FIELDS));
  const names = new RegExp(`['"](${telling.join('|')})['"]`, 'g');
  const found = breaches(({ path, source }) => {
    if (!shared.test(path) || path.endsWith('/wasm-module.ts')) return [];
    const ofKinds = importsOf(source).filter((name) => /\/(memories|packets|sessions|workspaces)\//.test(name));
    return [...(source.match(names) ?? []), ...ofKinds];
  });
  assert.deepEqual(found, []);
});

/** Modules that reach each other, by what they import when they are loaded (`isLoaded`) or by types too. */
function findKnots(isLoaded: boolean): string[][] {
  const graph = new Map(shipped.map(({ path, source }) => [path, importedFiles(path, source, isLoaded)]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const knots: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path)!);
    open.push(path);
    for (const next of graph.get(path) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!));
    }
    if (lowest.get(path) === order.get(path)) knots.push(open.splice(open.indexOf(path)));
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return knots.filter((knot) => knot.length > 1);
}

function importedFiles(path: string, source: string, isLoaded: boolean): string[] {
  const statements = source.matchAll(/^(?:import|export)\s+(type\s)?([^'"`;]*?)\bfrom\s*['"](\.[^'"]+)['"]/gm);
  return [...statements].flatMap(([, type, names, target]) => {
    const isTypeAlone = type !== undefined || /^\{(\s*type\s[^,}]+,?)+\s*\}\s*$/.test(names!);
    return isLoaded && isTypeAlone ? [] : [posix.join(posix.dirname(path), target!)];
  });
}

test('no module is loaded in a circle', () => {
  assert.deepEqual(findKnots(true), []);
});

test('no more than ten modules know each other, types included', () => {
  assert.deepEqual(
    findKnots(false).filter((knot) => knot.length > 10),
    [],
  );
});
