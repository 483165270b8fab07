import type { Tool } from '../../mcp/tool.ts';
import { CONFLICT_TOOLS } from './conflict-tools.ts';
import { CONSOLIDATION_TOOLS } from './consolidation-tools.ts';
import { createDistillTools } from './distill-tools.ts';
import { ENTITY_TOOLS } from './entity-tools.ts';
import { memoryGraph } from './graph-tool.ts';
import { createHarvestTool } from './harvest-tool.ts';
import { createIngestTool } from './ingest-tool.ts';
import { LISTING_TOOLS } from './listing-tools.ts';
import { createMistakeTools } from './mistake-notes.ts';
import { memoryQuality } from './quality-tool.ts';
import { createSearchingTool } from './searching-tool.ts';
import type { ServiceSettings } from './service-settings.ts';
import { createSessionTools } from './session-tools.ts';
import { STATE_TOOLS } from './state-tools.ts';
import { createStoringTools } from './storing-tools.ts';
import { memoryUpdate } from './updating-tool.ts';

/** The tools of mcp-memory-service, with its arguments and answers in its words; `ours` does what needs more than the engine. */
export function createServiceTools(settings: ServiceSettings, ours: { ingest: Tool }): Tool[] {
  return [
    ...createStoringTools(settings),
    createSearchingTool(settings),
    ...LISTING_TOOLS,
    ...CONSOLIDATION_TOOLS,
    ...STATE_TOOLS,
    memoryUpdate,
    createIngestTool(ours.ingest),
    createHarvestTool(settings),
    memoryQuality,
    memoryGraph,
    ...CONFLICT_TOOLS,
    ...ENTITY_TOOLS,
    ...createMistakeTools(settings),
    ...createDistillTools(settings),
    ...createSessionTools(settings),
  ];
}
