import { join } from 'node:path';

/** The program under test: this clone's, or the one that LTM_PROGRAM names, such as that of an installed package. */
export const PROGRAM = process.env.LTM_PROGRAM ?? join(import.meta.dirname, '..', '..', 'bin', 'ltm.js');

/** How it ends when it is told to: in good order; on Windows, which has no signals, on the spot. */
export function stoppedBy(signal: NodeJS.Signals): [number | null, NodeJS.Signals | null] {
  return process.platform === 'win32' ? [null, signal] : [0, null];
}
