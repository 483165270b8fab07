import type { ContextQuestion } from '../client/ask-server.ts';
import { ANSWERING, INSTANT } from '../features/early.ts';
import type { Environment } from '../settings/settings.ts';
import type { Streams } from './terminal.ts';

/** Runs one command line and resolves to its exit code. */
export async function main(argv: readonly string[], env: Environment, streams: Streams = process): Promise<number> {
  // An agent waits for this one: nothing else is loaded before it answers.
  const flags = readPlainMcp(argv);
  if (flags !== null) {
    const { runMcp } = await import('../server/run-mcp.ts');
    return runMcp({ env, flags }).catch((error: unknown) => report(error, env, streams));
  }
  // Neither does an agent wait for the reading of flags, nor may a wrong one stop it.
  const [name = '', ...words] = argv;
  if (Object.hasOwn(INSTANT, name) && !argv.includes('--help') && !argv.includes('-h'))
    return (await INSTANT[name]!())(words, env);
  const { runCommand } = await import('./run-command.ts');
  return runCommand(argv, env, { streams });
}

/** For a thread of a hook, which finds everything else through this module. */
export async function answerHook(question: ContextQuestion, env: Environment): Promise<string | null> {
  const [{ openForCommand }, { DECLARED_SETTINGS: declared }, ...answering] = await Promise.all([
    import('../server/local-session.ts'),
    import('../features/settings.ts'),
    ...ANSWERING.map((load) => load()),
  ]);
  for (const answer of answering) {
    const told = await answer(question, { env, declared }, openForCommand);
    if (told !== null) return told;
  }
  return null;
}

async function report(error: unknown, env: Environment, streams: Streams): Promise<number> {
  const { reportError } = await import('./report-error.ts');
  const { createTerminal } = await import('./terminal.ts');
  return reportError(error, { terminal: createTerminal(streams, env, { quiet: false }), env, json: false });
}

/** `ltm mcp` as agents are told to start it, with or without --db and --tools; anything else goes the common way. */
function readPlainMcp([command, ...rest]: readonly string[]): Record<string, string> | null {
  if (command !== 'mcp') return null;
  const flags: Record<string, string> = {};
  for (let at = 0; at < rest.length; at++) {
    const [, name, inline] = /^--(db|tools)(?:=(.*))?$/s.exec(rest[at]!) ?? [];
    const value = inline ?? rest[++at];
    if (name === undefined || !value || (inline === undefined && value.startsWith('-'))) return null;
    flags[name] = value;
  }
  return flags;
}
