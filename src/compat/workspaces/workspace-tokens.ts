import type { Credential, CredentialSource } from '../../auth/authenticate.ts';
import { hashToken, isSameHash } from '../../auth/tokens.ts';
import { OWNER_USER } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { TeamId } from '../../model/identity.ts';

const AGENT_POWERS = new Set(['read', 'register', 'tend']);
const SYNC_POWERS = new Set(['read', 'register', 'upload']);
const MIN_CHARS = 16;

export interface WorkspaceTokens {
  mcpToken: string | null;
  syncToken: string | null;
}

/** Two credentials of one space that the operator sets: agents read all and change their own workspace, programs upload. */
export function createWorkspaceTokens(
  { mcpToken, syncToken }: { mcpToken: string; syncToken: string },
  findTeam: () => Promise<TeamId | null>,
): CredentialSource {
  const known = [
    { sha256: hashToken(mcpToken), powers: AGENT_POWERS },
    { sha256: hashToken(syncToken), powers: SYNC_POWERS },
  ];
  return {
    async find(value) {
      const given = hashToken(value);
      const match = known.filter(({ sha256 }) => isSameHash(sha256, given))[0];
      if (match === undefined) return null;
      const credential: Credential = {
        kind: 'file',
        id: `key_${match.sha256.slice(0, 16)}`,
        userId: OWNER_USER,
        scopes: ['read', 'write'],
        teamId: await findTeam(),
        agent: null,
        clientId: null,
        powers: match.powers,
      };
      return credential;
    },
  };
}

/** Whether there are such tokens. Throws where they could not keep agents and programs apart, or could be guessed from other machines. */
export function checkWorkspaceTokens(
  { mcpToken, syncToken }: WorkspaceTokens,
  { isLocal }: { isLocal: boolean },
): boolean {
  const hint = 'Make each with `openssl rand -hex 32`.';
  const refuse = (message: string, key: string): EngineError =>
    new EngineError('invalid_input', message, { hint, details: { key } });
  if (mcpToken === null && syncToken === null) return false;
  if (mcpToken === null) throw refuse('SYNC_TOKEN is set, but MCP_TOKEN is not: they go together.', 'mcp_token');
  if (syncToken === null) throw refuse('MCP_TOKEN is set, but SYNC_TOKEN is not: they go together.', 'sync_token');
  if (mcpToken === syncToken)
    throw refuse('MCP_TOKEN and SYNC_TOKEN are equal, so nothing would tell agents and programs apart.', 'sync_token');
  for (const [name, token] of Object.entries({ mcp_token: mcpToken, sync_token: syncToken })) {
    if (/[^\x21-\x7e]/.test(token))
      throw refuse(`${name} contains blanks or characters that a header cannot carry.`, name);
    if (!isLocal && token.length < MIN_CHARS)
      throw refuse(`${name} has fewer than ${MIN_CHARS} characters, and this server can be reached from others.`, name);
  }
  return true;
}
