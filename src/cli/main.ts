import type { ContextQuestion } from '../client/ask-server.ts';
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
  if (argv[0] === 'hook' && !argv.includes('--help') && !argv.includes('-h'))
    return (await import('../features/sessions/terminal/hook.ts')).captureEvent(argv.slice(1), env);
  const { runCommand } = await import('./run-command.ts');
  return runCommand(argv, env, { streams });
}

/** For a thread of a hook, which finds everything else through this module. */
export async function answerHook(question: ContextQuestion, env: Environment): Promise<string | null> {
  const [{ answerHook }, { openForCommand }, { DECLARED_SETTINGS: declared }] = await Promise.all([
    import('../features/sessions/capture/answer-hook.ts'),
    import('../server/local-session.ts'),
    import('../features/settings.ts'),
  ]);
  return answerHook(question, { env, declared }, openForCommand);
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
