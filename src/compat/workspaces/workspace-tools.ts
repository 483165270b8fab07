import type { Tool } from '../../mcp/tool.ts';
import { getOverview, listKnowledge, listWorkspaces, readKnowledge, searchKnowledge } from './reading-workspaces.ts';
import { listSessions, readSession, searchSessions, uploadSession } from './session-tools.ts';
import { deleteKnowledge, registerWorkspace, uploadKnowledge, writeOverview } from './writing-workspaces.ts';

/** The tools of the federated server, in the order in which it lists them. */
export const WORKSPACE_TOOLS: readonly Tool[] = [
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
