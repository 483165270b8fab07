// Takes each feature and each system out of a copy of the sources, with what needs it and its lines in the tables, and compiles the rest.
//   node scripts/delete-features.ts              all of them, one after the other
//   node scripts/delete-features.ts NAME …       these: a feature, or compat/SYSTEM
//   node scripts/delete-features.ts --list       what each takes with it
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SYSTEMS } from '../src/compat/systems.ts';
import type { Feature } from '../src/features/feature.ts';
import { FEATURES } from '../src/features/features.ts';

const ROOT = join(import.meta.dirname, '..');
/** Always there: the library is made of it. */
const BASE = 'memories';
/** Where a line names each: `precompute-features.ts` writes the other tables. */
const TABLES = { features: 'src/features/features.ts', compat: 'src/compat/systems.ts' };
/** What the library hands on of a feature goes with it. */
const LIBRARY = 'src/index.ts';

interface Part extends Pick<Feature, 'needs'> {
  readonly place: keyof typeof TABLES;
  readonly name: string;
}

const parts: readonly Part[] = [
  ...FEATURES.map((one: Feature): Part => ({ ...one, place: 'features' })),
  ...SYSTEMS.map((one: Feature): Part => ({ ...one, place: 'compat' })),
];
const pathOf = ({ place, name }: Part): string => (place === 'features' ? name : `${place}/${name}`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});
const wanted = parts
  .filter((part) => pathOf(part) !== BASE)
  .filter((part) => positionals.length === 0 || positionals.includes(pathOf(part)));
if (values.list) for (const part of wanted) console.log(closureOf(part).map(pathOf).join(', '));
else tryAll();

/** The part and whatever needs it, directly or not. */
function closureOf(part: Part): readonly Part[] {
  const gone = new Set([part]);
  for (let before = 0; before < gone.size; ) {
    before = gone.size;
    const names = [...gone].flatMap(({ place, name }) => (place === 'features' ? [name] : []));
    for (const other of parts) if (other.needs?.some((need) => names.includes(need))) gone.add(other);
  }
  return [...gone];
}

function tryAll(): void {
  const tree = mkdtempSync(join(tmpdir(), 'ltm-without-'));
  try {
    for (const each of ['package.json', 'tsconfig.json', 'src'])
      cpSync(join(ROOT, each), join(tree, each), { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    writeFileSync(join(tree, 'tsconfig.json'), withoutTests(readFileSync(join(tree, 'tsconfig.json'), 'utf8')));
    mkdirSync(join(tree, 'gone'));
    const whole = new Map([...Object.values(TABLES), LIBRARY].map((path) => [path, read(tree, path)]));
    for (const part of wanted) {
      const gone = closureOf(part);
      for (const one of gone) renameSync(folderOf(tree, one), join(tree, 'gone', `${one.place}-${one.name}`));
      for (const [path, text] of whole) writeFileSync(join(tree, path), withoutLines(text, path, gone));
      compile(tree, gone);
      for (const one of gone) renameSync(join(tree, 'gone', `${one.place}-${one.name}`), folderOf(tree, one));
    }
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

function compile(tree: string, gone: readonly Part[]): void {
  const written = run(tree, process.execPath, [join(ROOT, 'scripts/precompute-features.ts'), '--tree', tree]);
  const compiled = written.status === 0 ? run(tree, 'tsc', ['--noEmit', '-p', tree]) : written;
  const isDone = compiled.status === 0;
  console.log(`without ${gone.map(pathOf).join(', ')}: the rest ${isDone ? 'compiles' : 'does not compile'}`);
  if (isDone) return;
  console.log(compiled.stdout, compiled.stderr);
  process.exitCode = 1;
}

function run(cwd: string, program: string, args: string[]): ReturnType<typeof spawnSync> {
  return spawnSync(program, args, { cwd, encoding: 'utf8' });
}

function read(tree: string, path: string): string {
  return readFileSync(join(tree, path), 'utf8');
}

function folderOf(tree: string, { place, name }: Part): string {
  return join(tree, 'src', place, name);
}

function withoutTests(config: string): string {
  return config.replace(/"include": \[[^\]]*\]/, '"include": ["src"]');
}

/** Without the statements that load what is gone, and its place in the list. */
function withoutLines(text: string, path: string, gone: readonly Part[]): string {
  let rest = text;
  for (const { place, name } of gone) {
    const folder = path === LIBRARY ? `./${place}/${name}/` : path === TABLES[place] ? `./${name}/` : null;
    if (folder === null) continue;
    rest = rest.replaceAll(
      new RegExp(`^(?:import|export)[^;]* from '${folder.replaceAll('.', '\\.')}[^;]*;\n`, 'gm'),
      '',
    );
    if (path !== LIBRARY) rest = rest.replace(new RegExp(`(?<=[[,]\\s*)${name}(?:,|(?=\\]))`), '');
  }
  return rest;
}
