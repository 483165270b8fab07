import type { ToolGroup } from '../../mcp/tool-table.ts';
import { listMemories, listRepos, retrieveMemory } from './reading-repos.ts';
import { deleteMemory, storeMemory } from './writing-repos.ts';

export const listTools = (): readonly ToolGroup[] => [
  { family: 'networked', tools: [storeMemory, retrieveMemory, deleteMemory, listMemories, listRepos] },
];
