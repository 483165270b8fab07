import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where agents keep their files on this machine. */
export interface AgentFolders {
  claude: string;
  codex: string;
  gemini: string;
  opencode: string;
}

/** Where agents keep their files, unless the environment says otherwise. */
export function agentFolders(env: Readonly<Record<string, string | undefined>> = {}): AgentFolders {
  const home = env.HOME || env.USERPROFILE || homedir();
  return {
    claude: env.CLAUDE_CONFIG_DIR || join(home, '.claude'),
    codex: env.CODEX_HOME || join(home, '.codex'),
    gemini: join(home, '.gemini'),
    opencode: join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode'),
  };
}
