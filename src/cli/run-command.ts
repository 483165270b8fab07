import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from '../features/features.ts';
import { COMMAND_HOMES } from '../features/names.ts';
import { DECLARED_SETTINGS } from '../features/settings.ts';
import { loadVerbs } from '../features/verbs.ts';
import { EngineError } from '../model/errors.ts';
import { lateFunctions } from '../model/late.ts';
import { toWire } from '../model/wire.ts';
import { createCommandClient, openForCommand } from '../server/local-session.ts';
import type { Addition } from '../server/open-engine.ts';
import { tendFar } from '../server/services.ts';
import { THIS_MACHINE } from '../server/this-machine.ts';
import { type ConfigSources, loadConfig, loadConfigOnce } from '../settings/config.ts';
import type { Environment } from '../settings/settings.ts';
import { clientFolder, configFilePath } from '../settings/user-folders.ts';
import type { Client } from '../verbs/client.ts';
import type { LocalSession } from '../verbs/local-session.ts';
import { chooseServer, refuseMissing, refuseServer } from './choose-server.ts';
import { type Command, type CommandContext, type Flag, GLOBAL_FLAGS, type Program } from './command.ts';
import { completeLine } from './complete-line.ts';
import { describeVersion } from './describe-version.ts';
import { findCommand } from './find-command.ts';
import { type Arguments, readArguments, splitCommand } from './read-arguments.ts';
import { EXIT, reportError } from './report-error.ts';
import { createTerminal, type Streams, type Terminal } from './terminal.ts';
import { commandOf, runPlain } from './verb-command.ts';

const { showCommandHelp, showOverview } = lateFunctions(
  () => import('./show-help.ts'),
  'showCommandHelp',
  'showOverview',
);
const { serveUntilStopped } = lateFunctions(() => import('./server.ts'), 'serveUntilStopped');
const { openRemoteClient } = lateFunctions(() => import('../server/open-remote-client.ts'), 'openRemoteClient');

export async function runCommand(
  argv: readonly string[],
  env: Environment,
  { streams = process, addition = {} }: { streams?: Streams; addition?: Addition } = {},
): Promise<number> {
  endQuietlyWhenReaderLeaves(streams);
  const terminal = createTerminal(streams, env, { quiet: argv.includes('--quiet') || argv.includes('-q') });
  try {
    const { name, rest } = splitCommand(argv, GLOBAL_FLAGS);
    if (name === undefined) return await showWithoutCommand(rest, terminal);
    const command = (await findAdded(name, addition)) ?? (await findCommand(name));
    if (rest.includes('--help') || rest.includes('-h')) {
      await showCommandHelp(command, terminal);
      return EXIT.ok;
    }
    const args = readArguments(rest, command, flagsOf(command));
    const sources = configSources(command, args, env);
    return await runWithSession(command, { args, terminal, env, sources }, addition);
  } catch (error) {
    return reportError(error, { terminal, env, json: argv.includes('--json') });
  }
}

/** For what was run without a command. */
export function reportFailure(error: unknown, env: Environment, streams: Streams): number {
  return reportError(error, { terminal: createTerminal(streams, env, { quiet: false }), env, json: false });
}

async function showWithoutCommand(rest: readonly string[], terminal: Terminal): Promise<number> {
  if (['--version', '-V', '-v'].some((flag) => rest.includes(flag))) {
    terminal.print(describeVersion());
    return EXIT.ok;
  }
  readArguments(rest, { name: 'help' }, GLOBAL_FLAGS);
  await showOverview(terminal, await listCommands());
  return EXIT.ok;
}

function flagsOf(command: Command): readonly Flag[] {
  const flags = [...command.flags, ...GLOBAL_FLAGS];
  if (command.takesSettings !== true) return flags;
  const settings = DECLARED_SETTINGS.settings.map(({ flag, description }) => ({
    name: flag.slice(2),
    value: 'VALUE',
    description,
  }));
  return [...flags, ...settings.filter(({ name }) => !flags.some((flag) => flag.name === name))];
}

function configSources(command: Command, args: Arguments, env: Environment): ConfigSources {
  const flags = command.takesSettings === true ? args.values : { db: args.text('db'), server: args.text('server') };
  return {
    declared: DECLARED_SETTINGS,
    flags,
    env,
    file: args.text('config'),
    dotEnvFolder: command.readsDotEnv ? process.cwd() : undefined,
  };
}

/** The database is opened when the command first asks for it, and closed whatever happens. */
async function runWithSession(command: Command, context: Call, addition: Addition): Promise<number> {
  const { args, sources, env } = context;
  let session: Promise<LocalSession> | null = null;
  const openOnce = async (): Promise<LocalSession> => {
    if (command.reads === true) refuseMissing(sources);
    return openForCommand(sources, addition);
  };
  const open = (): Promise<LocalSession> => {
    session ??= openOnce();
    return session;
  };
  const place = createPlace(context, open, addition);
  try {
    if (command.isLocal === true) stayHere(command, context);
    const run = await command.load();
    const json = args.isOn('json') || prefersJson(command, env, sources);
    const { features = FEATURES } = addition;
    const answer = createAnswer(json, context);
    const program = programOf(context, addition);
    return (
      (await run({ ...context, json, answer, open, machine: THIS_MACHINE, features, program, ...place })) ?? EXIT.ok
    );
  } finally {
    await closeSession(session);
  }
}

function programOf({ env, terminal }: Call, addition: Addition): Program {
  return {
    commands: listCommands,
    find: findCommand,
    run: (argv) => runCommand(argv, env, { streams: terminal.streams, addition }),
    serve: serveUntilStopped,
  };
}

async function listCommands(): Promise<readonly Command[]> {
  return (await import('../features/command-table.ts')).COMMANDS;
}

function stayHere({ name, tellsPlace }: Command, { args, terminal, sources }: Call): void {
  refuseServer(name, sources);
  const elsewhere = tellsPlace === true ? chooseServer(sources, args.isOn('local')) : null;
  if (elsewhere !== null) terminal.note(`On this machine, not on ${elsewhere}`);
}

function createAnswer(json: boolean, { terminal }: Call): CommandContext['answer'] {
  return (result, shown) => {
    if (json) terminal.printJson(toWire(result));
    else if (typeof shown === 'string') terminal.print(shown);
    else shown();
  };
}

type Call = Pick<CommandContext, 'args' | 'terminal' | 'env' | 'sources'>;

/** The command of a feature beyond the product's own, or of a verb there that says no more of it. */
async function findAdded(name: string, { features }: Addition): Promise<Command | undefined> {
  if (features === undefined || Object.hasOwn(COMMAND_HOMES, name)) return undefined;
  const lines = await Promise.all(features.map(({ commands }) => commands?.() ?? []));
  const line = lines.flat().find((each) => each.name === name);
  if (line !== undefined) return completeLine(line);
  const entry = Object.entries(await loadVerbs(features)).find(([, { command }]) => command?.name === name);
  return entry && commandOf(entry[1], async () => (context) => runPlain(entry, context));
}

/** Near or far, decided once; one line on stderr says where when it is not this machine. */
function createPlace(
  { args, terminal, env, sources }: Call,
  open: () => Promise<LocalSession>,
  addition: Addition,
): Pick<CommandContext, 'server' | 'client' | 'near'> {
  let chosen: Promise<string | null> | null = null;
  const choose = async (): Promise<string | null> => {
    const url = chooseServer(sources, args.isOn('local'));
    if (url !== null) terminal.note(`On ${url}`);
    return url;
  };
  const server = (): Promise<string | null> => {
    chosen ??= choose();
    return chosen;
  };
  const near = async ({ team }: { team?: string | undefined } = {}): Promise<Client> => {
    const session = await open();
    const { engine, caller } = session;
    return createCommandClient(session, team === undefined ? caller : await engine.enterTeam(caller, team), addition);
  };
  return {
    server,
    near,
    async client(options = {}): Promise<Client> {
      const url = await server();
      if (url !== null) {
        const { features } = addition;
        await tendFar(features ?? FEATURES, loadConfigOnce(sources), env);
        return openRemoteClient({ env, server: url, features, ...options });
      }
      return near(options);
    },
  };
}

/** `ltm config set output json`. `ltm config` itself answers plainly, and is what mends a file that cannot be read; other commands tell when they need it. */
function prefersJson({ name }: Command, env: Environment, sources: ConfigSources): boolean {
  const files = [sources.file ?? configFilePath(env), join(clientFolder(env), 'config.toml')];
  if (name === 'config' || !(env.LTM_OUTPUT || files.some((file) => existsSync(file)))) return false;
  try {
    if (sources.flags?.output === undefined) return loadConfigOnce(sources).output === 'json';
  } catch (error) {
    if (!(error instanceof EngineError)) throw error; // of a flag too: the command tells, and where it needs no settings it goes on
  }
  try {
    return loadConfig({ ...sources, flags: {}, env }).output === 'json';
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

async function closeSession(session: Promise<LocalSession> | null): Promise<void> {
  if (session === null) return;
  const [opened] = await Promise.allSettled([session]);
  if (opened.status === 'fulfilled') await opened.value.engine.close();
}

/** `ltm list | head` is no error: when nobody reads any more, there is nothing left to do. */
function endQuietlyWhenReaderLeaves({ stdout }: Streams): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.ok);
  });
}
