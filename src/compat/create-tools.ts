import type { Tool } from '../mcp/tool.ts';
import { createToolTable, type ToolTable } from '../mcp/tool-table.ts';
import { toolsOf } from '../mcp/verb-tool.ts';
import type { VerbTable } from '../verbs/verb.ts';
import { VERBS } from '../verbs/verb-table.ts';
import { CONNECTOR_TOOLS } from './connectors/connector-tools.ts';
import { type FamilyName, instructionsFor } from './family-names.ts';
import { listMemories, listRepos, retrieveMemory } from './networked/reading-repos.ts';
import { deleteMemory, storeMemory } from './networked/writing-repos.ts';
import { OBSERVATION_TOOLS } from './observations/observation-tools.ts';
import { PACKET_TOOLS } from './packets/packet-tools.ts';
import { earlierNames } from './service/earlier-names.ts';
import { memoryHarvest } from './service/harvest-tool.ts';
import { serviceFamily, withServiceArguments } from './service/service-tools.ts';
import { qualityTool } from './upkeep/quality-tool.ts';

/** Every tool of the MCP server: the verbs, and what other systems call theirs. */
export function createTools(verbs: VerbTable = VERBS): ToolTable {
  const own = toolsOf(verbs).map(withServiceArguments);
  const families: Record<FamilyName, readonly Tool[]> = {
    core: [...toolsOf(verbs, 'core').map(withServiceArguments), ...CONNECTOR_TOOLS],
    graph: toolsOf(verbs, 'graph'),
    networked: [storeMemory, retrieveMemory, deleteMemory, listMemories, listRepos],
    packets: PACKET_TOOLS,
    service: [...serviceFamily(own), memoryHarvest],
    observations: OBSERVATION_TOOLS,
    upkeep: [qualityTool],
  };
  return createToolTable({ families, unlisted: earlierNames(own), instructionsFor });
}
