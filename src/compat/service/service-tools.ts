import { readArguments } from '../../mcp/read-arguments.ts';
import { describeFields, type Tool } from '../../mcp/tool.ts';
import type { JsonShape } from '../../verbs/verb.ts';
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
  memory_health: { fields: {}, shown: [], run: (tool, context, args) => tool.run(context, args) },
};

/** A tool of ours that understands the service's arguments beside its own. */
export function withServiceArguments(tool: Tool): Tool {
  const service = SERVICE_ARGUMENTS[tool.name];
  if (service === undefined) return tool;
  const fields = { ...tool.fields, ...service.fields };
  const run: Tool['run'] = (context, args) => service.run(tool, context, args);
  return { ...tool, fields, run, call: (context, raw) => run(context, readArguments(fields, raw)) };
}

/** The same tools as the service lists them: in its order, with its arguments. */
export function serviceFamily(tools: readonly Tool[]): Tool[] {
  return Object.entries(SERVICE_ARGUMENTS).flatMap(([name, { shown }]) => {
    const tool = tools.find((one) => one.name === name);
    return tool === undefined ? [] : { ...tool, describe: () => describeWith(tool, shown) };
  });
}

/** Arguments that both list are described as ours are. */
function describeWith(tool: Tool, shown: readonly string[]): ReturnType<Tool['describe']> {
  const usual = tool.describe();
  const ours = (usual.inputSchema.properties ?? {}) as Readonly<Record<string, JsonShape>>;
  const said = Object.fromEntries(shown.map((name) => [name, ours[name] ?? '']));
  return { ...usual, inputSchema: describeFields(tool.fields, said) };
}
