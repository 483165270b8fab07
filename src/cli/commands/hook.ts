import { join } from 'node:path';
import { runHook } from '../../capture/run-hook.ts';
import type { Environment } from '../../server/settings.ts';
import type { CommandContext } from '../command.ts';

export function hook({ args, env }: CommandContext): Promise<number> {
  return captureEvent([...args.words, args.text('agent') ?? ''], env);
}

/** Exit code 0, whatever happens: a hook must not stop an agent. */
export async function captureEvent(words: readonly string[], env: Environment): Promise<number> {
  await runHook(words, env, { answerFile: answerFile() });
  return 0;
}

/** Beside the bundle that this is part of, or in the sources. */
function answerFile(): string {
  const { filename, dirname } = import.meta;
  return filename.endsWith('.ts')
    ? join(dirname, '..', '..', 'server', 'answer-hook.ts')
    : join(dirname, 'answer-hook.js');
}
