import { OWNER_USER, SCOPES } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import type { Credential, CredentialSource } from './authenticate.ts';
import { hashToken, isSameHash } from './tokens.ts';

/** A person chose it: long enough that nobody on the network guesses it. */
const MIN_CHARS = 16;

function idOf(sha256: string): string {
  return `key_${sha256.slice(0, 16)}`;
}

/** Whether somebody has come in with the operator's key. */
export function isApiKey({ kind, id }: Pick<Credential, 'kind' | 'id'>, key: string | null): boolean {
  return key !== null && kind === 'file' && id === idOf(hashToken(key));
}

/** The one key that the operator sets, as programs of mcp-memory-service send it: the owner's, with every right. */
export function createApiKey(key: string): CredentialSource {
  const sha256 = hashToken(key);
  const id = idOf(sha256);
  const owner: Credential = {
    kind: 'file',
    id,
    userId: OWNER_USER,
    scopes: SCOPES,
    teamId: null,
    agent: null,
    clientId: null,
  };
  return { find: async (value) => (isSameHash(hashToken(value), sha256) ? owner : null) };
}

/** Throws where it cannot be sent, or could be guessed from other machines. */
export function checkApiKey(key: string, { isLocal }: { isLocal: boolean }): void {
  const hint = 'Make one with `openssl rand -hex 32`.';
  const details = { key: 'api_key' };
  if (/[^\x21-\x7e]/.test(key))
    throw new EngineError('invalid_input', 'api_key contains blanks or characters that a header cannot carry.', {
      hint,
      details,
    });
  if (!isLocal && key.length < MIN_CHARS)
    throw new EngineError(
      'invalid_input',
      `api_key has fewer than ${MIN_CHARS} characters, and this server can be reached from other machines.`,
      { hint, details },
    );
}
