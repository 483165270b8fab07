import type { Tool } from '../../mcp/tool.ts';
import type { ToolGroup } from '../../mcp/tool-table.ts';
import type { Config } from '../../settings/config.ts';
import { getOverview, listKnowledge, listWorkspaces, readKnowledge, searchKnowledge } from './reading-workspaces.ts';
import { listSessions, readSession, searchSessions, uploadSession } from './session-tools.ts';
import { deleteKnowledge, registerWorkspace, uploadKnowledge, writeOverview } from './writing-workspaces.ts';

/** The tools of the federated server, in the order in which it lists them. */
const WORKSPACE_TOOLS: readonly Tool[] = [
  getOverview,
  listWorkspaces,
  registerWorkspace,
  listKnowledge,
  readKnowledge,
  searchKnowledge,
  listSessions,
  readSession,
  searchSessions,
  writeOverview,
  deleteKnowledge,
  uploadKnowledge,
  uploadSession,
];

/** Where agents and programs have tokens of workspaces, these are what the server is for; they remember which workspace a session is bound to. */
export const listTools = (config: Config | null): readonly ToolGroup[] => [
  { family: 'workspaces', tools: WORKSPACE_TOOLS, needsSession: true, isUsual: (config?.mcpToken ?? null) !== null },
];
