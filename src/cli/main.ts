import { INSTANT } from '../features/early.ts';
import { lateFunctions } from '../model/late.ts';
import { runMcp } from '../server/run-mcp.ts';
import type { Environment } from '../settings/settings.ts';
import type { Streams } from './terminal.ts';

const { runCommand, reportFailure } = lateFunctions(() => import('./run-command.ts'), 'runCommand', 'reportFailure');

/** For a thread of a hook, which finds everything else through this module. */
export const { answerHook } = lateFunctions(() => import('./answer-in-process.ts'), 'answerHook');

/** Runs one command line and resolves to its exit code. */
export async function main(argv: readonly string[], env: Environment, streams: Streams = process): Promise<number> {
  // An agent waits for this one: nothing else is loaded before it answers.
  const flags = readPlainMcp(argv);
  if (flags !== null) return runMcp({ env, flags }).catch((error: unknown) => reportFailure(error, env, streams));
  // Neither does an agent wait for the reading of flags, nor may a wrong one stop it.
  const [name = '', ...words] = argv;
  if (Object.hasOwn(INSTANT, name) && !argv.includes('--help') && !argv.includes('-h'))
    return (await INSTANT[name]!())(words, env);
  return runCommand(argv, env, { streams });
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
