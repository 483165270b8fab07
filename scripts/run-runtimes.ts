// Fetches the runtimes that the package promises, and some below its floor, and uses the packed program on each; then a clone on the oldest and the newest.
// Writes bench/results/runtimes.md. Needs a registry: npm run runtimes
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installPacked, packProgram } from '../test/packed/pack-program.ts';
import {
  describeRuntime,
  isSupported,
  meetFloor,
  nameOf,
  type Runtime,
  useCommands,
  useHook,
  useMcp,
  useServer,
} from '../test/packed/use-runtime.ts';

const ROOT = dirname(import.meta.dirname);
/** Where test/packed/runtimes.test.ts finds them. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'runtimes');
const NODES = ['20.20.2', '22.13.0', '22.22.2', '22.22.3', '24.14.1', '24.15.0', '24.21.0', '26.10.0'];
const BUN = '1.4.4';

const folder = mkdtempSync(join(tmpdir(), 'ltm-runtimes-'));
try {
  const tarball = packProgram();
  const runtimes = [...NODES.map((version) => fetchNode(version)), fetchBun()];
  const rows: string[][] = [];
  for (const runtime of runtimes) rows.push(await useAll(runtime, tarball));
  const clones = [useClone(runtimes[0]!), useClone(runtimes[7]!), useBareClone(runtimes[0]!, runtimes[7]!)];
  writeFileSync(join(ROOT, 'bench', 'results', 'runtimes.md'), describe(rows, clones));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fetchNode(version: string): Runtime {
  const { platform, arch } = process;
  const [prefix, system] = [
    platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node',
    platform === 'win32' ? 'win' : platform,
  ];
  return fetchPackage(`${prefix}-${system}-${arch}`, version, 'node');
}

function fetchBun(): Runtime {
  return fetchPackage(
    `@oven/bun-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`,
    BUN,
    'bun',
  );
}

/** From npm, into a folder of its own that holds nothing but a link to it. */
function fetchPackage(name: string, version: string, program: 'node' | 'bun'): Runtime {
  const own = join(CACHE, `${program}-${version}`);
  const path = join(own, program);
  if (!existsSync(path)) {
    mkdirSync(join(own, 'package'), { recursive: true });
    writeFileSync(join(own, 'package', 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--silent', `${name}@${version}`], { cwd: join(own, 'package'), stdio: 'inherit' });
    symlinkSync(join('package', 'node_modules', name, 'bin', program), path);
  }
  const runtime = describeRuntime(path);
  if (runtime === null) throw new Error(`${path} does not run.`);
  return runtime;
}

async function useAll(runtime: Runtime, tarball: string): Promise<string[]> {
  const home = join(folder, nameOf(runtime));
  mkdirSync(home);
  // npm itself runs on the Node that comes first.
  const path = `${dirname(runtime.path)}:/usr/local/bin:/usr/bin:/bin`;
  const { program } = installPacked(tarball, home, path);
  const use = { runtime, program, home: join(home, 'home') };
  console.log(nameOf(runtime));
  if (!isSupported(runtime)) {
    meetFloor(use);
    return [nameOf(runtime), runtime.sqlite, 'installs', 'says in one line what it needs', '', '', ''];
  }
  useCommands(use);
  await useMcp(use);
  const isBun = runtime.name === 'bun';
  const others = [() => useServer(use), async () => useHook(use)];
  const said: string[] = [];
  for (const other of others)
    said.push(
      await other().then(
        () => 'works',
        (error: Error) => {
          if (!isBun) throw error;
          return 'fails';
        },
      ),
    );
  const installs = isBun ? '' : runNpx(tarball, path, join(home, 'npx'));
  return [nameOf(runtime), runtime.sqlite, installs, 'work', 'works', ...said];
}

/** `npx` out of the tarball, as it would out of a registry. */
function runNpx(tarball: string, path: string, home: string): string {
  mkdirSync(home);
  const env = { PATH: path, HOME: home };
  const words = ['-y', `--package=${tarball}`, 'ltm', 'version'];
  const said = execFileSync('npx', words, { cwd: home, env, encoding: 'utf8' });
  if (!said.startsWith('ltm version')) throw new Error(`npx: ${said}`);
  return 'installs, `npx` too';
}

interface Clone {
  at: string;
  env: Record<string, string>;
}

function makeClone(host: Runtime, name: string, flags: readonly string[]): Clone {
  const at = join(folder, name);
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${ROOT}`, at]);
  const env = { PATH: `${dirname(host.path)}:/usr/local/bin:/usr/bin:/bin`, HOME: join(folder, `${name}-home`) };
  mkdirSync(env.HOME);
  execFileSync('npm', ['install', '--loglevel=error', ...flags], {
    cwd: at,
    env: { ...process.env, PATH: env.PATH },
    stdio: 'inherit',
  });
  return { at, env };
}

function run({ at, env }: Clone, program: string, ...words: string[]) {
  return spawnSync(program, words, { cwd: at, env, encoding: 'utf8' });
}

/** Installed, run by npx and, by whatever Node the host has, from anywhere after `npm run link`. */
function useClone(host: Runtime): string {
  const clone = makeClone(host, `clone-${host.version}`, []);
  const bin = join(clone.env.HOME!, 'bin');
  const said = [
    run(clone, 'npx', 'ltm', 'version'),
    run(clone, 'npm', 'run', '--silent', 'link', '--', '--to', bin),
    run({ at: folder, env: clone.env }, join(bin, 'ltm'), 'version'),
  ];
  for (const { status, stderr } of said) if (status !== 0) throw new Error(stderr);
  return `A clone on a host with ${nameOf(host)}: \`npm install\`, \`npx ltm\` and \`npm run link\` work.`;
}

/** Where the platform has no package of Node: the install passes, and the host's Node runs the program or says what it needs. */
function useBareClone(old: Runtime, recent: Runtime): string {
  const clone = makeClone(recent, 'clone-bare', ['--omit=optional']);
  const before = run(clone, recent.path, 'bin/ltm.js', 'version');
  const refused = run(clone, old.path, 'bin/ltm.js', 'version');
  if (before.status !== 0 || refused.status !== 1 || refused.stderr.split('\n').length !== 2)
    throw new Error(`${before.stderr}${refused.stderr}`);
  return `A clone without the packages that are optional, as where a platform has none of Node: \`npm install\` passes, ${nameOf(recent)} runs the program from its sources, ${nameOf(old)} says in one line what it needs.`;
}

function describe(rows: readonly string[][], clones: readonly string[]): string {
  const head = ['runtime', 'SQLite', '`npm install -g`', 'commands', '`ltm mcp`', '`ltm serve`', 'hooks'];
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `# What the package runs on

Written by \`npm run runtimes\` on ${process.platform} ${process.arch}: the packed program, installed from its tarball by the npm of the host on each runtime, stores, searches by meaning, deletes and restores, is examined by \`ltm doctor\`, speaks MCP, serves HTTP and takes in an event of an agent.

${table.join('\n')}

The floor is that of SQLite: before 3.51.3, two programs that write to one file can corrupt it when a checkpoint meets them at the wrong moment, and many programs on one file is what agents do. Node has a newer one from 22.22.3, 24.15 and 25.9 on.

${clones.map((line) => `- ${line}`).join('\n')}
`;
}
