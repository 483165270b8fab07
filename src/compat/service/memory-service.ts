import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext } from '../../cli/command.ts';
import { EXIT, UsageError } from '../../cli/report-error.ts';
import { safeLine } from '../../cli/safe-text.ts';
import { reachOwnServer } from '../../client/own-server.ts';
import { findRunningServer } from '../../client/running-server.ts';
import { FORMAT_ENDINGS } from '../../features/documents/readers/formats.ts';
import { EngineError } from '../../model/errors.ts';
import { VERSION } from '../../model/version.ts';
import { loadConfigOnce } from '../../settings/config.ts';
import { usualLogFile } from '../../settings/log-file.ts';
import { makePrivateFolder } from '../../settings/private-file.ts';

/** Where the service has MCP over HTTP. */
const MCP_PORT = '8765';
const START_MS = 20_000;
const STOP_MS = 10_000;
const LOOK_MS = 100;
const ANSWER_MS = 3000;

type Step = (context: CommandContext, words: readonly string[]) => Promise<number>;

/** What each of its commands comes to here. */
const STEPS: Readonly<Record<string, Step>> = {
  server: serve,
  status: (context) => run(context, ['status']),
  'ingest-document': (context, [file]) => ingest(context, need(file, 'a file'), []),
  'ingest-directory': ingestFolder,
  'list-formats': listFormats,
  launch,
  stop,
  async restart(context) {
    await stop(context, []);
    return launch(context, []);
  },
  info: (context) => showServer(context, { isLong: true }),
  health: (context) => showServer(context, { isLong: false }),
  logs: (context) => run(context, ['logs', '--lines', context.args.text('lines') ?? '30']),
};

export async function memory(context: CommandContext): Promise<number> {
  const [name = 'server', ...words] = context.args.words;
  const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
  if (step === undefined)
    throw new UsageError(
      `\`ltm memory\` does not know "${safeLine(name)}".`,
      `It knows ${Object.keys(STEPS).join(', ')}.`,
    );
  const backend = context.args.text('storage-backend');
  if (backend !== undefined && !['sqlite_vec', 'sqlite-vec', 'sqlite'].includes(backend))
    context.terminal.note(`The storage backend ${safeLine(backend)} has no effect: see docs/memory-service.md.`);
  return step(context, words);
}

function need(word: string | undefined, what: string): string {
  if (word !== undefined) return word;
  throw new UsageError(`This needs ${what}.`, 'Try `ltm help memory`.');
}

/** Another command of ours, with the database and the config file of this one. */
function run({ args, program }: CommandContext, argv: readonly string[]): Promise<number> {
  return program.run([...argv, ...sharedFlags(args)]);
}

function sharedFlags(args: CommandContext['args']): string[] {
  const named = ['db', 'config'].flatMap((name) => {
    const value = args.text(name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  return [...named, ...(args.isOn('json') ? ['--json'] : []), ...(args.isOn('quiet') ? ['--quiet'] : [])];
}

async function serve(context: CommandContext): Promise<number> {
  const { args, env } = context;
  const isMcpAlone = args.isOn('sse') || args.isOn('streamable-http');
  const isHttp = args.isOn('http') || isMcpAlone || isSaid(env.MCP_HTTP_ENABLED) || isSaid(env.MCP_SSE_MODE);
  if (!isHttp) return run(context, ['mcp', '--tools', 'service']);
  const host = args.text(isMcpAlone ? 'sse-host' : 'http-host');
  const port =
    args.text(isMcpAlone ? 'sse-port' : 'http-port') ?? (isMcpAlone ? (env.MCP_SSE_PORT ?? MCP_PORT) : undefined);
  return run(context, ['serve', ...serverFlags({ host, port, isDebug: args.isOn('debug') })]);
}

function isSaid(value: string | undefined): boolean {
  return /^(true|1|yes|on)$/i.test(value?.trim() ?? '');
}

interface Listening {
  host: string | undefined;
  port: string | undefined;
  isDebug: boolean;
}

/** Its tools are those that clients are shown. */
function serverFlags({ host, port, isDebug }: Listening): string[] {
  return [
    '--tools',
    'service',
    ...(host === undefined ? [] : ['--host', host]),
    ...(port === undefined ? [] : ['--port', port]),
    ...(isDebug ? ['--log-level', 'debug'] : []),
  ];
}

function ingest(context: CommandContext, path: string, more: readonly string[]): Promise<number> {
  const { args } = context;
  const size = args.number('chunk-size', { min: 1, max: 1_000_000 }) ?? 1000;
  const overlap = args.number('chunk-overlap', { min: 0, max: 1_000_000 }) ?? 200;
  const longest = Math.min(20_000, Math.max(200, size));
  return run(context, [
    'ingest',
    path,
    ...more,
    ...(args.list('tags') ?? []).flatMap((tag) => ['--tag', tag]),
    '--section-chars',
    String(longest),
    '--overlap-chars',
    String(Math.min(overlap, Math.floor(longest / 2))),
    '--type',
    args.text('memory-type') ?? 'document',
  ]);
}

function ingestFolder(context: CommandContext, [folder]: readonly string[]): Promise<number> {
  const { args } = context;
  return ingest(context, need(folder, 'a folder'), [
    ...(args.list('file-extensions') ?? []).flatMap((ending) => ['--ext', ending]),
    '--max-files',
    args.text('max-files') ?? '100',
    ...(args.isOn('dry-run') ? ['--dry-run'] : []),
  ]);
}

async function listFormats({ answer, terminal }: CommandContext): Promise<number> {
  answer({ formats: FORMAT_ENDINGS }, () => {
    for (const [format, endings] of Object.entries(FORMAT_ENDINGS)) terminal.print(`${format}: ${endings.join(', ')}`);
  });
  return EXIT.ok;
}

/** The one that shows to be ours; whatever else has its port or its pid by now is left alone. */
async function findServer({ sources }: CommandContext): Promise<{ url: string; pid: number } | null> {
  const found = findRunningServer(loadConfigOnce(sources).places.spool);
  const reached = found === null ? 'absent' : await reachOwnServer(found, ANSWER_MS);
  if (found === null || reached === 'absent') return null;
  if (reached === 'silent') throw new EngineError('busy', `What listens at ${found.url} does not answer.`);
  reached.close();
  return { url: found.url, pid: found.pid };
}

async function launch(context: CommandContext, _words: readonly string[]): Promise<number> {
  const { args, env, sources, answer } = context;
  const flags = serverFlags({ host: args.text('host'), port: args.text('port'), isDebug: args.isOn('debug') });
  if (args.isOn('foreground')) return run(context, ['serve', ...flags]);
  const running = await findServer(context);
  if (running !== null) {
    answer({ ...running, isRunning: true }, `ltm is already running at ${running.url}.`);
    return EXIT.ok;
  }
  const logFile = loadConfigOnce(sources).logFile ?? usualLogFile(env);
  makePrivateFolder(dirname(logFile));
  const output = openSync(logFile, 'a', 0o600);
  const argv = [process.argv[1] ?? '', 'serve', ...flags, '--log-file', logFile, ...sharedFlags(args)];
  const child = spawn(process.execPath, argv, { detached: true, stdio: ['ignore', 'ignore', output], env: { ...env } });
  closeSync(output);
  child.unref();
  const url = await waitForServer(context, () => child.exitCode === null);
  answer({ url, pid: child.pid, logFile }, `ltm is listening on ${url} (pid ${child.pid}). The log is ${logFile}.`);
  return EXIT.ok;
}

async function waitForServer(context: CommandContext, isThere: () => boolean): Promise<string> {
  for (let waited = 0; waited < START_MS && isThere(); waited += LOOK_MS) {
    const running = await findServer(context);
    if (running !== null && (await ask(running.url)) !== null) return running.url;
    await sleep(LOOK_MS);
  }
  throw new EngineError('internal', 'The server did not start.', { hint: '`ltm memory logs` shows why.' });
}

/** Only the server of this database: whatever else has its port is left alone. */
async function stop(context: CommandContext, _words: readonly string[]): Promise<number> {
  const running = await findServer(context);
  if (running === null) {
    context.answer({ isRunning: false }, 'No server runs on this database.');
    return EXIT.ok;
  }
  process.kill(running.pid, 'SIGTERM');
  const { spool } = loadConfigOnce(context.sources).places;
  const isThere = (): boolean => findRunningServer(spool)?.pid === running.pid;
  for (let waited = 0; waited < STOP_MS && isThere(); waited += LOOK_MS) await sleep(LOOK_MS);
  if (isThere()) throw new EngineError('busy', `The server (pid ${running.pid}) is still finishing its work.`);
  context.answer({ stopped: running.pid }, `Stopped the server at ${running.url} (pid ${running.pid}).`);
  return EXIT.ok;
}

async function showServer(context: CommandContext, { isLong }: { isLong: boolean }): Promise<number> {
  const { answer, terminal, sources } = context;
  const running = await findServer(context);
  const health = running === null ? null : await ask(running.url);
  const status = health === null ? 'not running' : String(health.status);
  const { db } = loadConfigOnce(sources);
  const facts = isLong ? { url: running?.url ?? null, pid: running?.pid ?? null, version: VERSION, database: db } : {};
  answer({ status, ...facts }, () => {
    terminal.print(`status: ${safeLine(status)}`);
    for (const [name, value] of Object.entries(facts))
      if (value !== null) terminal.print(`${name}: ${safeLine(String(value))}`);
  });
  return health === null ? EXIT.failure : EXIT.ok;
}

/** What it says of its health; null where it does not answer. */
async function ask(url: string): Promise<{ status: unknown } | null> {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return (await response.json()) as { status: unknown };
  } catch {
    return null; // told as "not running"
  }
}
