import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { test } from 'node:test';
import { MEMORY_FIELDS } from '../src/model/memory-fields.ts';
import { KINDS } from './all-kinds.ts';
import { findKnots } from './layers/find-knots.ts';
import { files, importedFiles, importsOf, listBreaches, roomOf, shipped } from './layers/layers.ts';

const ROOT = dirname(import.meta.dirname);

const CONFINED: { name: RegExp; to: RegExp }[] = [
  {
    name: /^node:sqlite$/,
    to: /^src\/(stores\/sqlite|agents\/opencode|features\/transfer\/importers|features\/evaluation)\//,
  },
  { name: /^@modelcontextprotocol\//, to: /^src\/(mcp|client)\// },
  { name: /^(pg|@electric-sql\/pglite)$/, to: /^src\/stores\/postgres\// },
  { name: /^(htmlparser2|unpdf(\/.*)?)$/, to: /^src\/features\/documents\// },
  { name: /^oidc-provider$/, to: /^src\/auth\/oauth\// },
  { name: /^(hono|@hono\/.*|hono\/.*)$/, to: /^src\/(rest|server|pages|compat)\// },
];
const VAGUE_WORDS = /(^|-)(managers?|helpers?|utils?|processors?|base|impl|info|enhanced|v2|common|misc)(-|\.)/;
/** Serves every kind of record: the core, and the features that move and mend records of all kinds. */
const SHARED =
  /^src\/(engine\/(records|maintenance|past)\/|engine\/copy-space\.ts|search\/|features\/(transfer|maintenance)\/[^/]+$|rest\/change-events\.ts)/;

type File = (typeof files)[number];

function breaches(find: (file: File) => readonly string[], among: readonly File[] = shipped): string[] {
  return among.flatMap((file) => find(file).map((what) => `${file.path}: ${what}`));
}

function namesOf(file: File): string[] {
  return importsOf(file).map(({ name }) => name);
}

test('rooms import only what the import table allows', () => {
  assert.deepEqual(listBreaches(), []);
});

test('the systems in compat know nothing of each other, so that each could be deleted', () => {
  const found = breaches((file) => {
    const room = roomOf(file.path);
    if (!room.startsWith('compat/')) return [];
    const targets = importedFiles(file, ['value', 'late', 'type']).map(roomOf);
    return targets.filter((target) => target.startsWith('compat/') && target !== room);
  });
  assert.deepEqual(found, []);
});

test('packages stay where they belong', () => {
  const found = breaches((file) =>
    namesOf(file).filter((name) => CONFINED.some((rule) => rule.name.test(name) && !rule.to.test(file.path))),
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
  // `session` and `workspace` are fields of every record too.
  const telling = KINDS.map(({ name }) => name).filter((name) => !(name in MEMORY_FIELDS));
  const names = new RegExp(`['"](${telling.join('|')})['"]`, 'g');
  const found = breaches((file) => {
    // A relation has a note too.
    const isTold = SHARED.test(file.path) && !/\/(wasm-module|relate-records)\.ts$/.test(file.path);
    if (!isTold) return [];
    return file.source.match(names) ?? [];
  });
  assert.deepEqual(found, []);
});

const graphOf = (kinds: Parameters<typeof importedFiles>[1]): Map<string, readonly string[]> =>
  new Map(shipped.map((file) => [file.path, importedFiles(file, kinds)]));

test('no module is loaded in a circle', () => {
  assert.deepEqual(findKnots(graphOf(['value'])), []);
});

test('none loads itself later either', () => {
  assert.deepEqual(findKnots(graphOf(['value', 'late'])), []);
});

/** In the middle of a function: what loads such a module says so nowhere else. */
const MOST_UNDECLARED = 25;

test('what is loaded late is declared: in a feature.ts, or at the top of a module as an entry of a table or of lateFunctions', (context) => {
  const found = breaches((file) =>
    basename(file.path) === 'feature.ts'
      ? []
      : importsOf(file)
          .filter(({ kind, isDeclared }) => kind === 'late' && isDeclared === false)
          .map(({ name }) => name),
  );
  context.diagnostic(`${found.length} loaded in the middle of a function`);
  assert.ok(found.length <= MOST_UNDECLARED, `at most ${MOST_UNDECLARED}:\n${found.join('\n')}`);
});

test('no more than five modules know each other, types included', () => {
  const found = findKnots(graphOf(['value', 'type'])).filter((knot) => knot.length > 5);
  assert.deepEqual(found, []);
});

test('what tests alone use is not among the sources', () => {
  const found = shipped.filter(
    ({ path }) => posix.dirname(path).includes('/fixtures') || path.endsWith('-contract.ts'),
  );
  assert.deepEqual(found, []);
});

test('the pages about the sources name what is there', () => {
  const decisions = readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
  const rooms = [...readdirSync(ROOT), ...readdirSync(join(ROOT, 'src'))].filter((name) => name !== 'dist');
  const broken = ['ARCHITECTURE.md', ...decisions].flatMap((page) => {
    const named = readFileSync(join(ROOT, page), 'utf8').matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g);
    return [...named]
      .map(([, path]) => path!)
      .filter((path) => rooms.includes(path.split('/')[0]!))
      .filter((path) => !['', 'src'].some((root) => existsSync(join(ROOT, root, path))))
      .map((path) => `${page}: ${path}`);
  });
  assert.deepEqual(broken, []);
});
