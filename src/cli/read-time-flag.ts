import type { Instant } from '../model/ids.ts';
import type { Config } from '../server/config.ts';
import type { Arguments } from './read-arguments.ts';

type TimeFlag = 'valid-from' | 'valid-until' | 'after' | 'before';

/** A day given as a beginning counts from its first moment, as an end to its last. */
export async function readOptionalTime(args: Arguments, flag: TimeFlag, config: Config): Promise<Instant | undefined> {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const { readTime } = await import('../server/read-time.ts');
  return readTime(text, config, flag === 'valid-from' || flag === 'after' ? 'start' : 'end');
}
