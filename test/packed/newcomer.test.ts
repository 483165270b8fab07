import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ConsoleStep, readConsoles } from '../../scripts/readme/read-console.ts';
import { installPacked, packProgram } from './pack-program.ts';
import { describeRuntime, useMcp } from './use-runtime.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const PORT = '8000';
const CLIENT = { name: 'newcomer', version: '1' };
/** A start takes time with every kilobyte: what a search does not call belongs into a file of its own, loaded when it is called. */
const MOST_LOADED_BYTES = 700_000;

/** Ids by their first appearance, times of day and days: what differs from run to run. */
function normalise(text: string): string {
  const ids: string[] = [];
  return text
    .replace(/\b01[0-9a-hjkmnp-tv-z]{18}\b/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `<id ${ids.indexOf(id) + 1}>`;
    })
    .replace(/\bltm[0-9A-Za-z]{40,}/g, 'ltmk…')
    .replace(/just now|\d+ (?:seconds?|minutes?) ago/g, '<just now>')
    .replace(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?/g, '<time>');
}

function transcribe(steps: readonly ConsoleStep[]): string {
  return normalise(steps.map(({ command, output }) => [`$ ${command}`, ...output].join('\n')).join('\n\n'));
}

/** What an agent sends, and a pause in which all of it is answered. */
function say(calls: readonly object[]): string {
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT } },
    { method: 'notifications/initialized' },
    ...calls.map((params, i) => ({ id: i + 2, method: 'tools/call', params })),
  ].map((message) => `'${JSON.stringify({ jsonrpc: '2.0', ...message })}'`);
  return `{ printf '%s\\n' ${messages.join(' ')}; sleep 2; }`;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

describe('a newcomer who follows the README', { skip: process.platform === 'win32' && 'a Unix shell' }, () => {
  const home = mkdtempSync(join(tmpdir(), 'ltm-newcomer-'));
  const env: Record<string, string> = { HOME: home, TZ: 'UTC', LANG: 'C.UTF-8', COLUMNS: '92' };
  const run = (command: string) => {
    const { status, stdout } = spawnSync('sh', ['-c', `{ ${command}\n} 2>&1`], { env, cwd: home, encoding: 'utf8' });
    return { status, output: stdout };
  };
  let program = '';
  let bytes = 0;
  before(() => {
    // Somebody who has Claude Code.
    mkdirSync(join(home, '.claude'));
    const installed = installPacked(packProgram(), home);
    ({ program, bytes } = installed);
    env.PATH = [installed.bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':');
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  it('finds every command of a clone among the scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const named = [...README.matchAll(/npm (?:run )?(start|test|link)\b/g)].map(([, name]) => name!);
    assert.deepEqual(new Set(named), new Set(['start', 'test', 'link']));
    for (const name of named) assert.ok(name in scripts, name);
  });

  it('is told of no package that is nowhere to be had, and of the one that is packed', () => {
    const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    assert.doesNotMatch(README, /npm install -g ltm\b/);
    assert.ok(README.includes(`npm install -g ./${name}-${version}.tgz`));
  });

  it('installs it and connects an agent by the first command', () => {
    const [, setup] = /^npm install && npm pack && npm install -g \.\/ltm-[\d.]+\.tgz && (ltm \S+)/m.exec(README) ?? [];
    assert.equal(setup, 'ltm setup');
    const asked = run(`${setup} </dev/null`);
    assert.match(asked.output, /Claude Code \(claude-code\) will be set up/);
    const { status, output } = run(`${setup} --yes`);
    assert.equal(status, 0, output);
    const { mcpServers } = JSON.parse(readFileSync(join(home, '.claude.json'), 'utf8'));
    assert.deepEqual([mcpServers.ltm.command, mcpServers.ltm.args], ['ltm', ['mcp']]);
  });

  it('takes as much room on disk as the README says', () => {
    const said = Number(/on disk, packages \| (\d+) MB/.exec(README)![1]);
    assert.ok(Math.abs(bytes / 1e6 - said) < said * 0.15, `${(bytes / 1e6).toFixed(1)} MB, not ${said}`);
  });

  it('sees what the README shows, line by line', () => {
    const [session] = readConsoles(README);
    assert.ok(session!.length >= 5);
    const seen = session!.map(({ command }) => {
      const { status, output } = run(command);
      assert.equal(status, 0, `${command}: ${output}`);
      return { command, output: output.trimEnd().split('\n') };
    });
    assert.equal(transcribe(seen), transcribe(session!));
  });

  it('searches and stores without loading what other commands need', () => {
    // What hooks had left in it was taken in; the folder stays.
    const spool = mkdtempSync(join(home, 'spool-'));
    const loads = (command: string): string[] => {
      const folder = mkdtempSync(join(home, 'coverage-'));
      assert.equal(run(`export NODE_V8_COVERAGE=${folder} LTM_SPOOL=${spool}; ${command}`).status, 0);
      const [file] = readdirSync(folder);
      const { result } = JSON.parse(readFileSync(join(folder, file!), 'utf8')) as { result: { url: string }[] };
      const urls = result.map(({ url }) => url);
      assert.ok(
        !urls.includes('node:crypto'),
        `${command} loads node:crypto, which takes as long as all of its hashing`,
      );
      return urls.filter((url) => url.includes('/ltm/dist/'));
    };
    const names = (urls: string[]): string =>
      urls.map((url) => /([a-z-]+?)(?:-[0-9a-f]{8})?\.c?js$/.exec(url)![1]).join();
    const [searching, storing] = [loads('ltm search harbour'), loads('ltm store "The harbour opens at six"')];
    assert.equal(names(searching), 'load-script,cli,together-run-command');
    assert.equal(names(storing), 'load-script,cli,together-run-command,together-redact-texts');
    assert.equal(names(loads('ltm --version')), 'load-script,cli,together-run-command');
    const bytes = searching.reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0);
    assert.ok(bytes < MOST_LOADED_BYTES, `${bytes} bytes of program for one search`);
    const called = names(loads(`${say([{ name: 'memory_search', arguments: { query: 'harbour' } }])} | ltm mcp`)).split(
      ',',
    );
    assert.ok(called.includes('together-create-tools'), called.join());
    assert.ok(!called.includes('together-stdio-backend'), 'a plain call needs no more of the protocol than its front');
    const apart = called.filter((name) => !/^(?:load-script|cli|together-[a-z-]+)$/.test(name));
    assert.deepEqual(apart, [], 'the first call of an agent waits for files that the build has not joined');
  });

  it('compiles little of what a single command runs', { skip: !process.versions.v8.startsWith('13.6.') }, () => {
    const compiled = (command: string) =>
      run(`node --trace-opt "$(readlink -f "$(command -v ltm)")" ${command}`).output.match(/\[completed compiling/g) ??
      [];
    compiled('search harbour'); // what it compiles with these flags is kept from now on
    assert.ok(compiled('search harbour').length < 12);
  });

  const searches = Array.from({ length: 3 }, (_, i) => ({
    name: 'memory_search',
    arguments: { query: `which harbour opens at ${i}` },
  }));

  // What V8 compiles of two hundred searches differs with the load of the machine; what it is told does not.
  it('tells the slower compiler to wait while an agent calls tools, and no more when compiled code is kept', {
    skip: !process.versions.v8.startsWith('13.6.'),
  }, () => {
    const [hook, told] = [join(home, 'tell-flags.cjs'), join(home, 'flags.txt')];
    const append = `require('node:fs').appendFileSync(${JSON.stringify(told)}, flag + '\\n')`;
    writeFileSync(
      hook,
      `const v8 = require('node:v8'); const set = v8.setFlagsFromString; v8.setFlagsFromString = (flag) => { ${append}; set(flag); };`,
    );
    run(`${say(searches)} | node --require ${hook} "$(readlink -f "$(command -v ltm)")" mcp`);
    const flags = readFileSync(told, 'utf8').trim().split('\n');
    const [waits, usual] = ['50000', '10000'].map((count) => `--invocation-count-for-turbofan=${count}`);
    assert.deepEqual([flags[0], flags.at(-1)], [waits, usual]);
  });

  it('takes what an agent’s program has compiled when it is started again, with what it loads later', () => {
    const cache = join(home, 'agent-cache');
    const said = say([...searches, { name: 'memory_store', arguments: { content: 'The harbour closes at ten.' } }]);
    for (let start = 0; start < 2; start++) run(`${said} | LTM_CACHE_DIR=${cache} ltm mcp`);
    const kept = readdirSync(join(cache, 'scripts'));
    assert.ok(
      kept.some((name) => name.startsWith('together-redact-texts')),
      kept.join(),
    );
    assert.deepEqual(new Set(kept.map((name) => readFileSync(join(cache, 'scripts', name))[4])), new Set([2]));
  });

  it('keeps more of the compiled code once a command has done more than before', () => {
    const cache = join(home, 'fresh-cache');
    const keptBytes = (): number =>
      readdirSync(join(cache, 'scripts'))
        .filter((name) => name.startsWith('together-run-command'))
        .reduce((sum, name) => sum + statSync(join(cache, 'scripts', name)).size, 0);
    run(`LTM_CACHE_DIR=${cache} ltm search --help`);
    const afterHelp = keptBytes();
    run(`LTM_CACHE_DIR=${cache} ltm search harbour`);
    assert.ok(keptBytes() > 1.2 * afterHelp, `${keptBytes()} bytes after a search, ${afterHelp} after its help`);
  });

  it('takes what a server has compiled when it is started again', async () => {
    const cache = join(home, 'server-cache');
    for (let start = 0; start < 2; start++) {
      const child = spawn('ltm', ['serve', '--port', '0', '--json', '--db', join(cache, 'served.db')], {
        env: { ...env, LTM_CACHE_DIR: cache },
        cwd: home,
      });
      await once(child.stdout, 'data');
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    // Counted from the first that was taken: the place before what is kept says how often.
    const times = readdirSync(join(cache, 'scripts')).map((name) => readFileSync(join(cache, 'scripts', name))[4]);
    assert.ok(times.length > 2);
    assert.deepEqual(new Set(times), new Set([2]));
  });

  it('serves it over HTTP and asks it with curl as the README shows', async () => {
    const [, session] = readConsoles(README);
    const [serve, curl] = session!;
    assert.equal(serve!.command, 'ltm serve');
    const port = String(await freePort());
    const here = (text: string): string => text.replaceAll(`:${PORT}`, `:${port}`).replaceAll('/home/you', home);
    const child = spawn('ltm', ['serve'], { env: { ...env, LTM_PORT: port }, cwd: home });
    try {
      let said = '';
      child.stdout.on('data', (chunk) => (said += chunk));
      while (!said.includes('Stop with Ctrl-C.') && child.exitCode === null) await setTimeout(100);
      assert.equal(normalise(said.trimEnd()), here(serve!.output.join('\n')));
      const { output } = run(here(curl!.command));
      const shown = curl!.output.join('\n').split('…')[0]!;
      assert.equal(normalise(output).slice(0, normalise(shown).length), normalise(shown));
    } finally {
      if (child.exitCode === null) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
    }
  });

  it('connects an agent by hand with entries that are valid and start a server', async () => {
    const cells = section('## Connect your agents')
      .match(/`[^`]+`/g)!
      .map((cell) => cell.slice(1, -1));
    const entries = cells.filter((cell) => cell.startsWith('{')).map((cell) => JSON.parse(cell));
    assert.ok(entries.length >= 3);
    for (const entry of entries) {
      const { ltm } = entry.mcpServers ?? entry.servers;
      assert.deepEqual([ltm.command, ltm.args], ['ltm', ['mcp']]);
    }
    const commands = cells.filter((cell) => / mcp add .*\bltm mcp$/.test(cell));
    assert.ok(commands.length >= 4, commands.join('\n'));
    await useMcp({ runtime: describeRuntime(process.execPath)!, program, home });
  });

  it('takes it all back', () => {
    const { status, output } = run('ltm setup --undo --yes');
    assert.equal(status, 0, output);
    const file = join(home, '.claude.json');
    assert.ok(!existsSync(file) || !readFileSync(file, 'utf8').includes('ltm'));
  });
});

function section(heading: string): string {
  const start = README.indexOf(`\n${heading}\n`);
  return README.slice(start, README.indexOf('\n## ', start + heading.length)).replace(/^```[\s\S]*?^```$/gm, '');
}
