import { join } from 'node:path';

/** The program under test: this clone's, or the one that LTM_PROGRAM names, such as that of an installed package. */
export const PROGRAM = process.env.LTM_PROGRAM ?? join(import.meta.dirname, '..', '..', 'bin', 'ltm.js');

/** All that a program under test gets of this one's environment: where programs are, and where Node and the published program keep what they have compiled. */
export const PLAIN_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE', 'LTM_CACHE_DIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

/** How it ends when it is told to: in good order; on Windows, which has no signals, on the spot. */
export function stoppedBy(signal: NodeJS.Signals): [number | null, NodeJS.Signals | null] {
  return process.platform === 'win32' ? [null, signal] : [0, null];
}
