import { readFileSync, statSync } from 'node:fs';
import type { Log } from '../engine/ports.ts';
import type { Scope } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { isObject, parseJson } from '../model/json-text.ts';
import { TEAM_PREFIX } from './accounts/names.ts';
import type { Credential, CredentialSource } from './authenticate.ts';
import { hashToken } from './tokens.ts';

/** A change must act within five seconds. */
const LOOK_EVERY_MS = 2000;
const MAX_BYTES = 10 << 20;
const SCOPES: readonly Scope[] = ['read', 'write'];
const HINT = 'It must be a JSON object that maps tokens to user ids, such as {"<token>": "alice"}.';

/** A JSON object of tokens and the users they belong to, kept by the operator. */
export interface TokensFile extends CredentialSource {
  /** Tells which credentials (by id) are not valid any more after a change of the file; the answer ends it. */
  onChange(listener: (gone: ReadonlySet<string>) => void): () => void;
  close(): void;
}

/** By the hash of the token. */
type Entries = ReadonlyMap<string, Credential>;

/** Throws where the file cannot be used now. Later on a file that cannot be used changes nothing: what was read last stays in force. */
export function openTokensFile(file: string, { log }: { log: Log }): TokensFile {
  warnIfOpenToOthers(file, log);
  let text = readFile(file);
  let entries = demandEntries(file, text);
  const listeners = new Set<(gone: ReadonlySet<string>) => void>();
  let complaint = '';

  const look = (): void => {
    try {
      const next = readFile(file);
      if (next === text) return;
      const before = entries;
      entries = parseEntries(file, next);
      text = next;
      complaint = '';
      const gone = goneOf(before, entries);
      log.info('tokens_file_read', { file, tokens: entries.size, gone: gone.size });
      warnIfOpenToOthers(file, log);
      if (gone.size > 0) for (const listener of listeners) listener(gone);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (complaint !== error.message)
        log.error('tokens_file_unusable', {
          file,
          message: error.message,
          effect: 'the previous tokens stay valid',
        });
      complaint = error.message;
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return {
    find: async (value) => entries.get(hashToken(value)) ?? null,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => clearInterval(timer),
  };
}

/** Throws where the file cannot be used. For before anything else is opened: a server that does not start leaves nothing behind. */
export function checkTokensFile(file: string): void {
  demandEntries(file, readFile(file));
}

function demandEntries(file: string, text: string): Entries {
  const entries = parseEntries(file, text);
  if (entries.size === 0) throw unusable(file, 'contains no token');
  return entries;
}

function readFile(file: string): string {
  try {
    if (statSync(file).size > MAX_BYTES) throw unusable(file, `is larger than ${MAX_BYTES} bytes`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw unusable(file, isMissing ? 'does not exist' : 'cannot be read');
  }
}

/** No message repeats anything from inside the file: all of it may be secret. */
function parseEntries(file: string, text: string): Entries {
  const content = parseJson(text.replace(/^\uFEFF/, ''));
  if (content === undefined) throw unusable(file, 'is not JSON');
  if (!isObject(content)) throw unusable(file, 'is not a JSON object');
  const entries = new Map<string, Credential>();
  Object.entries(content).forEach(([token, userId], at) => {
    const which = `entry ${at + 1}`;
    if (token === '' || /\s/.test(token))
      throw unusable(file, `has a token that is empty or contains spaces (${which})`);
    if (typeof userId !== 'string' || userId === '')
      throw unusable(file, `has a user id that is not a string or is empty (${which})`);
    if (userId.startsWith(TEAM_PREFIX)) throw unusable(file, `has a user id that begins like a team id (${which})`);
    const sha256 = hashToken(token);
    const id = `file_${sha256.slice(0, 16)}`;
    entries.set(sha256, { kind: 'file', id, userId, scopes: SCOPES, teamId: null, agent: null, clientId: null });
  });
  return entries;
}

function goneOf(before: Entries, after: Entries): Set<string> {
  const gone = [...before].filter(([sha256, { userId }]) => after.get(sha256)?.userId !== userId);
  return new Set(gone.map(([, { id }]) => id));
}

function warnIfOpenToOthers(file: string, log: Log): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform !== 'win32' && (mode & 0o007) !== 0)
    log.warn('tokens_file_readable_by_others', {
      file,
      message: 'Every user of this machine can read the tokens. Run chmod 600 on the file.',
    });
}

function unusable(file: string, what: string): EngineError {
  return new EngineError('invalid_input', `The tokens file ${file} ${what}.`, { hint: HINT, details: { file } });
}
