import type { Tool } from '../../mcp/tool.ts';
import { memExport, memForget } from './exporting-tools.ts';
import { memGet, memSearch, memTimeline } from './reading-tools.ts';

/** What agents of the old observation system call, in its words. */
export const OBSERVATION_TOOLS: readonly Tool[] = [memSearch, memTimeline, memGet, memExport, memForget];
