import type { CommandContext } from '../../../cli/command.ts';
import type { Environment } from '../../../settings/settings.ts';
import { runHook } from '../capture/run-hook.ts';

export function hook({ args, env }: CommandContext): Promise<number> {
  return captureEvent([...args.words, args.text('agent') ?? ''], env);
}

/** Exit code 0, whatever happens: a hook must not stop an agent. Only `ltm-hook` answers without a server: this has taken too long already. */
export async function captureEvent(words: readonly string[], env: Environment): Promise<number> {
  await runHook(words, env, { answerer: null });
  return 0;
}
