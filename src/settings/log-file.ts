import { closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from './config.ts';
import type { LogStream } from './log.ts';
import { dataFolder } from './user-folders.ts';

const MAX_BYTES = 10 << 20;
/** `ltm.log.1` is the latest of the full ones. */
const KEPT = 3;

/** Where a service writes it while nobody says otherwise, and where `ltm logs` then looks. */
export function usualLogFile(env: Parameters<typeof dataFolder>[0]): string {
  return join(dataFolder(env), 'logs', 'ltm.log');
}

/** Where the log of a server goes: the file that `log_file` names, else stderr. */
export function openLogStream({ logFile }: Pick<Config, 'logFile'>): LogStream {
  return logFile === null ? process.stderr : openLogFile(logFile);
}

/**
 * A log file that is started anew when it is full. Several processes may write to it: each looks whether the file is still the one it has
 * open, and one of them renames. What cannot be written goes to stderr: a full disk must not stop a server.
 */
export function openLogFile(path: string, maxBytes = MAX_BYTES): LogStream {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let fd = openSync(path, 'a', 0o600);
  const reopen = (): void => {
    const next = openSync(path, 'a', 0o600);
    closeSync(fd);
    fd = next;
  };
  return {
    write(text) {
      try {
        const now = statSync(path, { throwIfNoEntry: false });
        if (now === undefined || now.ino !== fstatSync(fd).ino) reopen();
        else if (now.size > 0 && now.size + Buffer.byteLength(text) > maxBytes && rotate(path)) reopen();
        writeSync(fd, text);
      } catch {
        process.stderr.write(text);
      }
    },
  };
}

/** False where another process is at it. */
function rotate(path: string): boolean {
  const lock = `${path}.rotating`;
  try {
    closeSync(openSync(lock, 'wx', 0o600));
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    // Left behind by a process that was killed.
    if (Date.now() - since > 60_000) rmSync(lock, { force: true });
    return false;
  }
  try {
    for (let number = KEPT - 1; number >= 1; number--)
      if (statSync(`${path}.${number}`, { throwIfNoEntry: false }))
        renameSync(`${path}.${number}`, `${path}.${number + 1}`);
    renameSync(path, `${path}.1`);
  } finally {
    rmSync(lock, { force: true });
  }
  return true;
}
