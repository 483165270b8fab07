import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../model/json-text.ts';
import { isAlive } from '../settings/is-alive.ts';

/** What `ltm serve` leaves for programs of the same person on the same machine: where it is, and where the token lies that opens it. */
export interface RunningServer {
  url: string;
  pid: number;
  tokenFile: string | null;
  /** Known only to whoever can read this folder: by it the server shows that it is the one. Null: it is of a release that has none, and is not asked. */
  secret: string | null;
}

function fileIn(spool: string): string {
  return join(spool, 'server.json');
}

/** The server that left its address here; null where none runs. What a killed one has left is removed. It may be another's by now: `reachOwnServer` tells. */
export function findRunningServer(spool: string): RunningServer | null {
  const found = readServer(spool);
  if (found === null || isAlive(found.pid)) return found;
  rmSync(fileIn(spool), { force: true });
  return null;
}

export function readServer(spool: string): RunningServer | null {
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
    secret: typeof said.secret === 'string' && said.secret.length >= SECRET_BYTES ? said.secret : null,
  };
}

const SECRET_BYTES = 32;

/** With a new secret, in a file that was never anybody else's to read. */
export function announceServer(spool: string, server: Omit<RunningServer, 'secret'>): void {
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const file = fileIn(spool);
  const fresh = `${file}.${process.pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify({ ...server, secret })}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, file);
}

/** Only its own: another server may have been started meanwhile. */
export function withdrawServer(spool: string, pid: number): void {
  if (readServer(spool)?.pid === pid) rmSync(fileIn(spool), { force: true });
}
