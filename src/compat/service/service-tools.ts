import { readArguments } from '../../mcp/read-arguments.ts';
import type { Tool } from '../../mcp/tool.ts';
import { deleting, listing, searching } from './finding-arguments.ts';
import type { ServiceArguments } from './service-arguments.ts';
import { storing, updating } from './writing-arguments.ts';

/** The tools that mcp-memory-service has too, and what it calls their arguments. */
const SERVICE_ARGUMENTS: Readonly<Record<string, ServiceArguments>> = {
  memory_store: storing,
  memory_search: searching,
  memory_list: listing,
  memory_update: updating,
  memory_delete: deleting,
  memory_health: { fields: {}, run: (tool, context, args) => tool.run(context, args) },
};

/** A tool of ours that understands the service's arguments beside its own. */
export function withServiceArguments(tool: Tool): Tool {
  const service = SERVICE_ARGUMENTS[tool.name];
  if (service === undefined) return tool;
  const fields = { ...tool.fields, ...service.fields };
  const run: Tool['run'] = (context, args) => service.run(tool, context, args);
  return { ...tool, fields, run, call: (context, raw) => run(context, readArguments(fields, raw)) };
}
