import { VERBS } from '../features/verb-table.ts';
import { PROMPTS } from '../mcp/prompts.ts';
import type { Tool } from '../mcp/tool.ts';
import { createToolTable, type ToolTable } from '../mcp/tool-table.ts';
import { toolsOf } from '../mcp/verb-tool.ts';
import type { VerbTable } from '../verbs/verb.ts';
import { CONNECTOR_TOOLS } from './connectors/connector-tools.ts';
import { memoryIngest } from './documents/ingest-tool.ts';
import { type FamilyName, instructionsFor } from './family-names.ts';
import { listMemories, listRepos, retrieveMemory } from './networked/reading-repos.ts';
import { deleteMemory, storeMemory } from './networked/writing-repos.ts';
import { OBSERVATION_TOOLS } from './observations/observation-tools.ts';
import { PACKET_TOOLS } from './packets/packet-tools.ts';
import { createServiceTools } from './service/create-service-tools.ts';
import { createOlderNames } from './service/older-names.ts';
import { SERVICE_PROMPTS } from './service/service-prompts.ts';
import { SERVICE_DEFAULTS, type ServiceSettings } from './service/service-settings.ts';
import { withServiceArguments } from './service/service-tools.ts';
import { cleanUpTool, consolidateTool } from './upkeep/consolidation-tools.ts';
import { qualityTool } from './upkeep/quality-tool.ts';
import { WORKSPACE_TOOLS } from './workspaces/workspace-tools.ts';

/** Every tool of the MCP server: the verbs, and what other systems call theirs. */
export function createTools(verbs: VerbTable = VERBS, settings: ServiceSettings = SERVICE_DEFAULTS): ToolTable {
  const service = createServiceTools(settings, { ingest: memoryIngest });
  const families: Record<FamilyName, readonly Tool[]> = {
    core: [...toolsOf(verbs, 'core').map(withServiceArguments), ...CONNECTOR_TOOLS],
    documents: [memoryIngest, ...toolsOf(verbs, 'documents')],
    graph: toolsOf(verbs, 'graph'),
    networked: [storeMemory, retrieveMemory, deleteMemory, listMemories, listRepos],
    packets: PACKET_TOOLS,
    observations: OBSERVATION_TOOLS,
    upkeep: [qualityTool, consolidateTool, cleanUpTool],
    workspaces: WORKSPACE_TOOLS,
    // last: where another family has a tool of the same name, that one is ours
    service,
  };
  return createToolTable({
    families,
    unlisted: { service: createOlderNames(service) },
    prompts: PROMPTS,
    otherPrompts: { service: SERVICE_PROMPTS },
    instructionsFor,
  });
}
