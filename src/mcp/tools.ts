import type { Tool, ToolDescription } from './tool.ts';
import type { ToolFamily } from './tool-families.ts';
import { fetch } from './tools/fetch.ts';
import { memoryDelete } from './tools/memory-delete.ts';
import { memoryGet } from './tools/memory-get.ts';
import { memoryHealth } from './tools/memory-health.ts';
import { memoryList } from './tools/memory-list.ts';
import { memoryRestore } from './tools/memory-restore.ts';
import { memorySearch } from './tools/memory-search.ts';
import { memoryStore } from './tools/memory-store.ts';
import { memoryUpdate } from './tools/memory-update.ts';
import { deleteMemory } from './tools/networked/delete-memory.ts';
import { listMemories } from './tools/networked/list-memories.ts';
import { listRepos } from './tools/networked/list-repos.ts';
import { retrieveMemory } from './tools/networked/retrieve-memory.ts';
import { storeMemory } from './tools/networked/store-memory.ts';
import { PACKET_TOOLS } from './tools/packets/packet-tools.ts';
import { search } from './tools/search.ts';
import { EARLIER_NAMES } from './tools/service/earlier-names.ts';
import { SERVICE_ARGUMENTS } from './tools/service/service-arguments.ts';

const CORE: readonly Tool[] = [
  memoryStore,
  memorySearch,
  memoryGet,
  memoryList,
  memoryUpdate,
  memoryDelete,
  memoryRestore,
  memoryHealth,
  search,
  fetch,
];

/** Which tools a client is shown, in the order in which it sees them; the order never changes between two answers. */
export const FAMILIES: Readonly<Record<ToolFamily, readonly Tool[]>> = {
  core: CORE,
  networked: [storeMemory, retrieveMemory, deleteMemory, listMemories, listRepos],
  packets: PACKET_TOOLS,
  service: [memoryStore, memorySearch, memoryList, memoryUpdate, memoryDelete, memoryHealth],
};

/** Every tool can be called, whichever are shown: what a caller may do is a matter of its credential, and a prompt may name a tool that this connection does not list. */
export const TOOLS: readonly Tool[] = [...new Set(Object.values(FAMILIES).flat()), ...EARLIER_NAMES];

const byName: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));
const described = new Map<string, ToolDescription[]>();

export function findTool(name: string): Tool | undefined {
  return byName.get(name);
}

/** Computed once for each choice: describing ten tools for every request would cost more than the request. */
export function listTools(families: readonly ToolFamily[]): ToolDescription[] {
  const key = families.join();
  const known = described.get(key);
  if (known !== undefined) return known;
  const argumentsOf = (tool: Tool) => (families.includes('core') ? undefined : SERVICE_ARGUMENTS.get(tool.name));
  const list = [...new Set(families.flatMap((family) => FAMILIES[family]))].map((tool) =>
    tool.describe(argumentsOf(tool)),
  );
  described.set(key, list);
  return list;
}
