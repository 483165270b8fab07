import { readClientConfig } from '../client/client-config.ts';
import { EngineError } from '../model/errors.ts';
import type { ConfigSources } from '../server/config.ts';
import type { LocalSession } from '../server/local-session.ts';
import type { Environment } from '../server/settings.ts';
import type { Command, CommandContext, Flag } from './command.ts';
import { describeVersion } from './describe-version.ts';
import { EXIT } from './exit-codes.ts';
import { GLOBAL_FLAGS } from './flags.ts';
import { type Arguments, readArguments, splitCommand } from './read-arguments.ts';
import { reportError } from './report-error.ts';
import { findCommand, showCommandHelp, showOverview } from './show-help.ts';
import { createTerminal, type Streams, type Terminal } from './terminal.ts';

export async function runCommand(argv: readonly string[], env: Environment, streams: Streams): Promise<number> {
  endQuietlyWhenReaderLeaves(streams);
  const terminal = createTerminal(streams, env, { quiet: argv.includes('--quiet') || argv.includes('-q') });
  try {
    const { name, rest } = splitCommand(argv, GLOBAL_FLAGS);
    if (name === undefined) return showWithoutCommand(rest, terminal);
    const command = findCommand(name);
    if (rest.includes('--help') || rest.includes('-h')) {
      showCommandHelp(command, terminal);
      return EXIT.ok;
    }
    const args = readArguments(rest, command, await flagsOf(command));
    return await runWithSession(command, { args, terminal, env, sources: configSources(command, args, env) });
  } catch (error) {
    return reportError(error, { terminal, env, json: argv.includes('--json') });
  }
}

function showWithoutCommand(rest: readonly string[], terminal: Terminal): number {
  if (rest.includes('--version') || rest.includes('-V')) {
    terminal.print(describeVersion());
    return EXIT.ok;
  }
  readArguments(rest, { name: 'help' }, GLOBAL_FLAGS);
  showOverview(terminal);
  return EXIT.ok;
}

async function flagsOf(command: Command): Promise<readonly Flag[]> {
  const flags = [...command.flags, ...GLOBAL_FLAGS];
  if (command.takesSettings !== true) return flags;
  const { SETTINGS } = await import('../server/settings.ts');
  const settings = SETTINGS.map(({ flag, description }) => ({ name: flag.slice(2), value: 'VALUE', description }));
  return [...flags, ...settings.filter(({ name }) => !flags.some((flag) => flag.name === name))];
}

function configSources(command: Command, args: Arguments, env: Environment): ConfigSources {
  const file = args.text('config');
  const flags = command.takesSettings === true ? args.values : { db: args.text('db') };
  return {
    flags,
    env,
    ...(file !== undefined && { file }),
    ...(command.readsDotEnv === true && { dotEnvFolder: process.cwd() }),
  };
}

/** The database is opened when the command first asks for it, and closed whatever happens. */
async function runWithSession(command: Command, context: Omit<CommandContext, 'json' | 'open'>): Promise<number> {
  let session: Promise<LocalSession> | null = null;
  const open = (): Promise<LocalSession> => {
    session ??= import('../server/local-session.ts').then(({ openLocalSession }) =>
      openLocalSession(context.sources, 'cli'),
    );
    return session;
  };
  try {
    const { run } = await command.load();
    return await run({
      ...context,
      json: context.args.isOn('json') || (await prefersJson(command, context.env)),
      open,
    });
  } finally {
    await closeSession(session);
  }
}

/** `ltm config set output json`. `ltm config` itself answers plainly, and is what mends a file that cannot be read; other commands tell when they need it. */
async function prefersJson({ name }: Command, env: Environment): Promise<boolean> {
  if (name === 'config') return false;
  try {
    return (await readClientConfig(env)).output === 'json';
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
