// Takes features out of a copy of the sources, one at a time with those that need it and the systems that use it, and compiles the rest.
//   node scripts/delete-features.ts              those that can be taken out so far: fails when the rest does not compile
//   node scripts/delete-features.ts --all        every feature that nothing else imports, too
//   node scripts/delete-features.ts --list       how many imports keep each of the others in
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SYSTEMS } from '../src/compat/systems.ts';
import type { Feature } from '../src/features/feature.ts';
import { FEATURES } from '../src/features/features.ts';
import { importedFiles, shipped } from '../test/layers/layers.ts';

const ROOT = join(import.meta.dirname, '..');
/** Written from what the features declare, or holding a line for each. */
const TABLES =
  /^src\/(features\/(features|early|verb-table|command-table|names|answers|settings)\.ts|compat\/(systems|command-table|settings)\.ts)$/;
const TABLES_OF = {
  features: ['features.ts', 'early.ts', 'verb-table.ts', 'command-table.ts', 'answers.ts', 'settings.ts'],
  compat: ['systems.ts', 'command-table.ts', 'settings.ts'],
};
const features: readonly Feature[] = FEATURES;
/** The others are still imported, or their functions called, by what does not need them. */
const REMOVABLE: readonly string[] = ['sessions', 'workspaces', 'documents', 'history', 'people', 'sync', 'evaluation'];
const { values } = parseArgs({
  options: { list: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } },
});

interface Removal {
  readonly name: string;
  /** Folders below `src/`. */
  readonly folders: readonly string[];
  readonly importers: readonly string[];
}

const edges = shipped.flatMap((file) =>
  importedFiles(file, ['value', 'late', 'type']).map((target) => [file.path, target] as const),
);

function planRemoval(name: string): Removal {
  const gone = new Set([name]);
  for (let before = 0; before < gone.size; ) {
    before = gone.size;
    for (const feature of features) if (feature.needs?.some((need) => gone.has(need))) gone.add(feature.name);
  }
  const isIn = (folders: Iterable<string>, path: string) =>
    [...folders].some((folder) => path.startsWith(`src/${folder}/`));
  const folders = new Set([...gone].map((feature) => `features/${feature}`));
  const systems: readonly Feature[] = SYSTEMS;
  for (const system of systems) if (system.needs?.some((need) => gone.has(need))) folders.add(`compat/${system.name}`);
  for (const [from, to] of edges)
    if (from.startsWith('src/compat/') && from.split('/').length > 3 && isIn(folders, to))
      folders.add(`compat/${from.split('/')[2]}`);
  const importers = edges.filter(([from, to]) => !isIn(folders, from) && isIn(folders, to) && !TABLES.test(from));
  return { name, folders: [...folders], importers: importers.map(([from, to]) => `${from} → ${to}`) };
}

const removals = features.map(({ name }) => planRemoval(name));
for (const { name, importers } of removals)
  console.log(`${name}: ${importers.length} imports by what does not need it`);
if (!values.list)
  for (const removal of removals)
    if (REMOVABLE.includes(removal.name) || (values.all && removal.importers.length === 0)) compileWithout(removal);

function compileWithout({ folders }: Removal): void {
  const tree = mkdtempSync(join(tmpdir(), 'ltm-without-'));
  try {
    for (const each of ['package.json', 'tsconfig.json', 'src'])
      cpSync(join(ROOT, each), join(tree, each), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    for (const folder of folders) rmSync(join(tree, 'src', folder), { recursive: true, force: true });
    for (const [place, tables] of Object.entries(TABLES_OF)) {
      const gone = folders.filter((folder) => folder.startsWith(`${place}/`)).map((folder) => folder.split('/')[1]!);
      for (const table of tables) dropNames(join(tree, 'src', place, table), gone);
    }
    const config = { extends: './tsconfig.json', include: ['src'] };
    writeFileSync(join(tree, 'tsconfig.without.json'), JSON.stringify(config));
    const { status, stdout } = spawnSync('tsc', ['--noEmit', '-p', 'tsconfig.without.json'], {
      cwd: tree,
      encoding: 'utf8',
    });
    console.log(`without ${folders.join(', ')}: ${status === 0 ? 'the rest compiles' : 'the rest does not compile'}`);
    if (status !== 0) {
      console.log(stdout);
      process.exitCode = 1;
    }
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Leaves these out of a table: the lines that import them, and their places in the list. */
function dropNames(path: string, gone: readonly string[]): void {
  const isOf = (line: string) =>
    gone.some((name) => line.includes(`'./${name}/`) || new RegExp(`^  (\\.\\.\\.)?${name},$`).test(line));
  const lines = readFileSync(path, 'utf8').split('\n');
  const kept = lines
    .filter((line) => !isOf(line))
    .map((line) => line.replace(/(?<== )\[((?:\.\.\.)?\w+(?:, (?:\.\.\.)?\w+)*)\]/, withoutGone));
  writeFileSync(path, kept.join('\n'));

  function withoutGone(_: string, names: string): string {
    return `[${names
      .split(', ')
      .filter((name) => !gone.includes(name.replace('...', '')))
      .join(', ')}]`;
  }
}
