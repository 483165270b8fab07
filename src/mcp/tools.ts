import type { Tool, ToolDescription } from './tool.ts';
import { fetch } from './tools/fetch.ts';
import { memoryDelete } from './tools/memory-delete.ts';
import { memoryGet } from './tools/memory-get.ts';
import { memoryHealth } from './tools/memory-health.ts';
import { memoryList } from './tools/memory-list.ts';
import { memoryRestore } from './tools/memory-restore.ts';
import { memorySearch } from './tools/memory-search.ts';
import { memoryStore } from './tools/memory-store.ts';
import { memoryUpdate } from './tools/memory-update.ts';
import { search } from './tools/search.ts';

/** In the order in which clients see them; it never changes between two answers. */
export const TOOLS: readonly Tool[] = [
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

const byName: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));
let described: ToolDescription[] | undefined;

export function findTool(name: string): Tool | undefined {
  return byName.get(name);
}

/** Computed once: describing ten tools for every request would cost more than the request. */
export function listTools(): ToolDescription[] {
  described ??= TOOLS.map((tool) => tool.describe());
  return described;
}
