import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'packed');
const BUILDERS = readdirSync(join(ROOT, 'scripts'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => join('scripts', name));
const COPIED = [
  'src',
  'bin',
  ...BUILDERS,
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
];
const LINKED = ['node_modules', 'models', 'conformance'];

/** The package as it would be published, built from these sources beside them: the path of the tarball, which is made once for each state of the sources. */
export function packProgram(): string {
  const tarball = join(CACHE, `ltm-${hashSources()}.tgz`);
  if (existsSync(tarball)) return tarball;
  const folder = mkdtempSync(join(tmpdir(), 'ltm-pack-'));
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name), 'junction');
    const built = spawnSync(process.execPath, [join(folder, 'scripts', 'build.js')], { cwd: folder, encoding: 'utf8' });
    if (built.status !== 0) throw new Error(`The build fails: ${built.stdout}${built.stderr}`);
    const options = { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' } as const;
    const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--ignore-scripts'], options));
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    const copy = join(CACHE, `${process.pid}.tgz`);
    cpSync(join(folder, packed.filename), copy);
    renameSync(copy, tarball);
    return tarball;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same, unpacked beside the tarball: the script behind `ltm`. It needs nothing installed, since all that it uses is in it. */
export function unpackProgram(): string {
  const tarball = packProgram();
  const folder = tarball.replace(/\.tgz$/, '');
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    mkdirSync(draft);
    execFileSync('tar', ['-xzf', tarball, '-C', draft]);
    renameSync(draft, folder);
  }
  return join(folder, 'package', 'bin', 'ltm.js');
}

function hashSources(): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  };
  // Not the texts that go along: they change nothing of what is built.
  const built = COPIED.filter((name) => !name.endsWith('.md'));
  for (const name of [...built, 'models', 'conformance', 'package-lock.json']) {
    if (statSync(join(ROOT, name)).isFile()) add(name);
    else for (const path of listFiles(name)) add(path);
  }
  return hash.digest('hex').slice(0, 16);
}

function listFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath.slice(ROOT.length + 1), entry.name))
    .filter((path) => !path.split('/').includes('node_modules'))
    .sort();
}

export interface Installation {
  /** Holds `ltm` and `ltm-hook`, as a shell finds them. */
  bin: string;
  /** The script behind `ltm`. */
  program: string;
  /** What the package takes on disk, in bytes. */
  bytes: number;
}

/** `npm install -g` into a folder of its own, by the npm and the Node that `path` leads to. Nothing is asked of a registry. */
export function installPacked(tarball: string, folder: string, path = process.env.PATH ?? ''): Installation {
  const env = { ...process.env, PATH: path, HOME: folder, npm_config_prefix: folder };
  const flags = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '-g', ...flags, tarball], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const own = join(folder, 'lib', 'node_modules', 'ltm');
  const bytes = readdirSync(own, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + readFileSync(join(entry.parentPath, entry.name)).length, 0);
  return { bin: join(folder, 'bin'), program: join(own, 'bin', 'ltm.js'), bytes };
}
