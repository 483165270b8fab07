import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where this person's sign-ins and client settings are: `$LTM_CONFIG_DIR`, else `$XDG_CONFIG_HOME/ltm`, else `~/.config/ltm`. */
export function clientFolder(env: Environment): string {
  if (env.LTM_CONFIG_DIR) return env.LTM_CONFIG_DIR;
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'ltm');
  return join(env.HOME || env.USERPROFILE || homedir(), '.config', 'ltm');
}

/** Replaces a file in one step; only its owner can read it, nor look into a folder that had to be made for it. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
