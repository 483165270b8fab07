import { join } from 'node:path';

/** The program under test: this clone's, or the one that LTM_PROGRAM names, such as that of an installed package. */
export const PROGRAM = process.env.LTM_PROGRAM ?? join(import.meta.dirname, '..', '..', 'bin', 'ltm.js');

/** All that a program under test gets of this one's environment: where programs are, and where Node keeps what it has compiled. */
export const PLAIN_ENV: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  ...(process.env.NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};

/** How it ends when it is told to: in good order; on Windows, which has no signals, on the spot. */
export function stoppedBy(signal: NodeJS.Signals): [number | null, NodeJS.Signals | null] {
  return process.platform === 'win32' ? [null, signal] : [0, null];
}
