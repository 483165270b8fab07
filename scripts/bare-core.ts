// Takes every feature and every system out of a copy of the sources, compiles what is left, and runs the tests of the core and the doors there.
//   node scripts/bare-core.ts
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const ROOMS = ['model', 'privacy', 'search', 'engine', 'settings', 'verbs', 'cli', 'mcp', 'rest', 'client', 'pages'];
/** The library is made of memories, which are a feature. */
const LIBRARY = ['src/index.ts', 'src/server/open-memory.ts'];
const TABLES = { 'src/features/features.ts': 'FEATURES', 'src/compat/systems.ts': 'SYSTEMS' };

const tree = mkdtempSync(join(tmpdir(), 'ltm-bare-'));
try {
  for (const each of ['package.json', 'tsconfig.json', 'src', 'test', 'scripts', 'models', 'bin'])
    cpSync(join(ROOT, each), join(tree, each), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  takeFeaturesOut();
  must(process.execPath, [join(tree, 'scripts/precompute-features.ts'), '--tree', tree]);
  const sources = { extends: './tsconfig.json', include: ['src'], exclude: ['src/**/*.test.ts'] };
  writeFileSync(join(tree, 'tsconfig.bare.json'), JSON.stringify(sources));
  must('tsc', ['--noEmit', '-p', 'tsconfig.bare.json']);
  console.log('without any feature or system: the rest compiles');
  const tests = listTests();
  must(process.execPath, ['--test', '--test-reporter=dot', ...tests]);
  console.log(`without any feature or system: ${tests.length} files of tests of the core and the doors pass`);
} finally {
  rmSync(tree, { recursive: true, force: true });
}

function takeFeaturesOut(): void {
  for (const place of ['src/features', 'src/compat'])
    for (const entry of readdirSync(join(tree, place), { withFileTypes: true }))
      if (entry.isDirectory()) rmSync(join(tree, place, entry.name), { recursive: true });
  for (const [path, name] of Object.entries(TABLES)) {
    const type = path.startsWith('src/features') ? './feature.ts' : '../features/feature.ts';
    const text = `import type { Feature } from '${type}';\n\nexport const ${name}: readonly Feature[] = [];\n`;
    writeFileSync(join(tree, path), text);
  }
  for (const path of LIBRARY) rmSync(join(tree, path));
}

function listTests(): string[] {
  const lines = readFileSync(join(ROOT, 'test/layers/need-features.txt'), 'utf8').split('\n');
  const needing = new Set(lines.filter((line) => line.startsWith('src/')));
  const all = ROOMS.flatMap((room) => globSync(`src/${room}/**/*.test.ts`, { cwd: tree })).sort();
  const unknown = [...needing].filter((path) => !all.includes(path));
  if (unknown.length > 0) throw new Error(`need-features.txt names what is not there: ${unknown.join(', ')}`);
  return all.filter((path) => !needing.has(path));
}

/** Runs it in the tree; ends this program with what it said where it fails. */
function must(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: tree, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 0) return;
  console.log(stdout, stderr);
  throw new Error(`${[command, ...args].slice(0, 4).join(' ')} failed`);
}
