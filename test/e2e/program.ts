import { join } from 'node:path';

/** The program under test: this clone's, or the one that LTM_PROGRAM names, such as that of an installed package. */
export const PROGRAM = process.env.LTM_PROGRAM ?? join(import.meta.dirname, '..', '..', 'bin', 'ltm.js');
