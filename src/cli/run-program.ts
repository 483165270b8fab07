import { spawnSync } from 'node:child_process';
import type { Environment } from '../settings/settings.ts';
import { safeLine } from './safe-text.ts';

const RUN_MS = 20_000;

export interface ProgramRun {
  /** null: it ended well. */
  failure: string | null;
  stdout: string;
}

/** Another program of this machine, to its end. */
export function runProgram([command, ...args]: readonly string[], env: Environment, input?: string): ProgramRun {
  const options = { env: { ...env }, encoding: 'utf8', timeout: RUN_MS, input } as const;
  const { status, error, stderr, stdout } = spawnSync(command!, args, options);
  if (error !== undefined) return { failure: error.message, stdout: '' };
  return { failure: status === 0 ? null : safeLine(stderr) || `exit code ${status}`, stdout };
}
