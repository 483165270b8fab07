import type { Credential, CredentialSource } from '../../auth/authenticate.ts';
import { hashToken, isSameHash } from '../../auth/tokens.ts';
import type { OperatorTokens } from '../../features/host.ts';
import { OWNER_USER } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { TeamId } from '../../model/identity.ts';

const AGENT_POWERS = new Set(['read', 'register', 'tend']);
const SYNC_POWERS = new Set(['read', 'register', 'upload']);
const MIN_CHARS = 16;

interface WorkspaceTokenSettings {
  mcpToken: string | null;
  syncToken: string | null;
}

/** Two credentials of one space that the operator sets: agents read all and change their own workspace, programs upload. */
function createWorkspaceTokens(
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
function checkWorkspaceTokens(
  { mcpToken, syncToken }: WorkspaceTokenSettings,
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

/** The two tokens of workspaces, where the operator has set them. */
export const WORKSPACE_TOKENS: OperatorTokens = {
  check(config, { isLocal, log }) {
    const isSet = checkWorkspaceTokens(config, { isLocal });
    if (isSet) log.info('workspace_tokens', { team: config.workspaceTeam ?? 'none' });
    return isSet;
  },
  open({ mcpToken, syncToken, workspaceTeam }, store) {
    if (mcpToken === null || syncToken === null) return null;
    const findTeam = async (): Promise<string | null> => {
      if (workspaceTeam === null) return null;
      const team = (await store.findTeam({ name: workspaceTeam })) ?? (await store.findTeam({ id: workspaceTeam }));
      if (team !== null) return team.id;
      throw new EngineError('not_found', 'The team of workspace_team does not exist.', {
        hint: '`ltm teams new NAME` makes it.',
      });
    };
    return createWorkspaceTokens({ mcpToken, syncToken }, findTeam);
  },
};
