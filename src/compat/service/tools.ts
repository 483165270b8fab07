import { memoryIngest } from '../../features/documents/ingest-tool.ts';
import type { Tool } from '../../mcp/tool.ts';
import type { ToolGroup } from '../../mcp/tool-table.ts';
import type { Config } from '../../settings/config.ts';
import { CONFLICT_TOOLS } from './conflict-tools.ts';
import { CONSOLIDATION_TOOLS } from './consolidation-tools.ts';
import { createDistillTools } from './distill-tools.ts';
import { ENTITY_TOOLS } from './entity-tools.ts';
import { memoryGraph } from './graph-tool.ts';
import { createHarvestTool } from './harvest-tool.ts';
import { createIngestTool } from './ingest-tool.ts';
import { LISTING_TOOLS } from './listing-tools.ts';
import { createMistakeTools } from './mistake-notes.ts';
import { createOlderNames } from './older-names.ts';
import { memoryQuality } from './quality-tool.ts';
import { createSearchingTool } from './searching-tool.ts';
import { SERVICE_PROMPTS } from './service-prompts.ts';
import { SERVICE_DEFAULTS, type ServiceSettings, serviceSettings } from './service-settings.ts';
import { withServiceArguments } from './service-tools.ts';
import { createSessionTools } from './session-tools.ts';
import { STATE_TOOLS } from './state-tools.ts';
import { createStoringTools } from './storing-tools.ts';
import { memoryUpdate } from './updating-tool.ts';

/** The tools of mcp-memory-service, its prompts and older names; and its arguments for those of ours that it has too. */
export function listTools(config: Config | null): readonly ToolGroup[] {
  const tools = createServiceTools(config === null ? SERVICE_DEFAULTS : serviceSettings(config));
  return [
    { family: 'core', widen: withServiceArguments },
    { family: 'service', tools, unlisted: createOlderNames(tools), prompts: SERVICE_PROMPTS },
  ];
}

/** With its arguments and answers, in its words. */
function createServiceTools(settings: ServiceSettings): Tool[] {
  return [
    ...createStoringTools(settings),
    createSearchingTool(settings),
    ...LISTING_TOOLS,
    ...CONSOLIDATION_TOOLS,
    ...STATE_TOOLS,
    memoryUpdate,
    createIngestTool(memoryIngest),
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
