import { readOwnerToken } from '../auth/owner-token.ts';
import type { Config } from './config.ts';
import { createLog } from './log.ts';
import { ownerTokenFile } from './start-server.ts';

/** `value` is null before the first `ltm serve`. */
export function findOwnerToken(config: Config): { file: string; value: string | null } {
  const file = ownerTokenFile(config);
  return { file, value: readOwnerToken(file, createLog('warn')) };
}
