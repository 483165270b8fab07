import { CONNECTOR_TOOLS } from '../compat/connectors/connector-tools.ts';
import { listMemories, listRepos, retrieveMemory } from '../compat/networked/reading-repos.ts';
import { deleteMemory, storeMemory } from '../compat/networked/writing-repos.ts';
import { OBSERVATION_TOOLS } from '../compat/observations/observation-tools.ts';
import { createServiceTools } from '../compat/service/create-service-tools.ts';
import { createOlderNames } from '../compat/service/older-names.ts';
import { SERVICE_PROMPTS } from '../compat/service/service-prompts.ts';
import { SERVICE_DEFAULTS, type ServiceSettings } from '../compat/service/service-settings.ts';
import { withServiceArguments } from '../compat/service/service-tools.ts';
import { WORKSPACE_TOOLS } from '../compat/workspaces/workspace-tools.ts';
import { cleanUpTool, consolidateTool } from '../features/consolidation/consolidation-tools.ts';
import { memoryIngest } from '../features/documents/ingest-tool.ts';
import { PACKET_TOOLS } from '../features/packets/packet-tools.ts';
import { qualityTool } from '../features/quality/quality-tool.ts';
import { VERBS } from '../features/verb-table.ts';
import { type FamilyName, instructionsFor } from '../mcp/family-names.ts';
import { PROMPTS } from '../mcp/prompts.ts';
import type { Tool } from '../mcp/tool.ts';
import { createToolTable, type ToolTable } from '../mcp/tool-table.ts';
import { toolsOf } from '../mcp/verb-tool.ts';
import type { VerbTable } from '../verbs/verb.ts';

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
