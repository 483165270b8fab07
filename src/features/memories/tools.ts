import type { ToolGroup } from '../../mcp/tool-table.ts';
import { PROMPTS } from './prompts.ts';
import { MEMORY_RESOURCES } from './resources.ts';

/** The tools are those of the verbs. */
export const listTools = (): readonly ToolGroup[] => [
  { family: 'core', prompts: PROMPTS, resources: MEMORY_RESOURCES },
];
