import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../model/json-text.ts';
import { isAlive } from './spool.ts';

/** What `ltm serve` leaves for programs of the same person on the same machine: where it is, and where the token lies that opens it. */
export interface RunningServer {
  url: string;
  pid: number;
  tokenFile: string | null;
}

function fileIn(spool: string): string {
  return join(spool, 'server.json');
}

/** The server that runs on this database; null where none does. What a killed one has left is removed. */
export function findRunningServer(spool: string): RunningServer | null {
  const found = readServer(spool);
  if (found === null || isAlive(found.pid)) return found;
  rmSync(fileIn(spool), { force: true });
  return null;
}

function readServer(spool: string): RunningServer | null {
  let text: string;
  try {
    text = readFileSync(fileIn(spool), 'utf8');
  } catch {
    return null; // none has been started, or it is somebody else's
  }
  const said = parseJson(text);
  if (!isObject(said) || typeof said.url !== 'string' || !Number.isSafeInteger(said.pid)) return null;
  return {
    url: said.url,
    pid: Number(said.pid),
    tokenFile: typeof said.tokenFile === 'string' ? said.tokenFile : null,
  };
}

export function announceServer(spool: string, server: RunningServer): void {
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  writeFileSync(fileIn(spool), `${JSON.stringify(server)}\n`, { mode: 0o600 });
}

/** Only its own: another server may have been started meanwhile. */
export function withdrawServer(spool: string, pid: number): void {
  if (readServer(spool)?.pid === pid) rmSync(fileIn(spool), { force: true });
}
