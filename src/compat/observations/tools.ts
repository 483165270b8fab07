import type { ToolGroup } from '../../mcp/tool-table.ts';
import { memExport, memForget } from './exporting-tools.ts';
import { memGet, memSearch, memTimeline } from './reading-tools.ts';

/** What agents of the old observation system call, in its words. */
export const listTools = (): readonly ToolGroup[] => [
  { family: 'observations', tools: [memSearch, memTimeline, memGet, memExport, memForget] },
];
