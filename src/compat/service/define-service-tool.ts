import type { Memory } from '../../features/memories/memory.ts';
import { defineTool, jsonAnswer, type Tool, type ToolAnswer, type ToolContext } from '../../mcp/tool.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import { noticesOfTrust } from '../../verbs/describe-origin.ts';

type Definition<Args extends object> = Parameters<typeof defineTool<Args>>[0];

interface ServiceTool<Args extends object> extends Omit<Definition<Args>, 'output'> {
  /** What an argument is where it is not given, as the service lists it. */
  defaults?: Readonly<Record<string, unknown>>;
  output?: Definition<Args>['output'];
}

/** A tool of the service, listed with its defaults. */
export function defineServiceTool<Args extends object>({ defaults, ...definition }: ServiceTool<Args>): Tool {
  const tool: Tool = { ...defineTool<Args>({ output: { message: 'string' }, ...definition }), errorWord: 'Error' };
  if (defaults === undefined) return tool;
  return { ...tool, describe: () => withDefaults(tool.describe(), defaults) };
}

function withDefaults(
  description: ReturnType<Tool['describe']>,
  defaults: Readonly<Record<string, unknown>>,
): ReturnType<Tool['describe']> {
  const { inputSchema } = description;
  const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, object>).map(([name, shape]) => [
    name,
    name in defaults ? { ...shape, default: defaults[name] } : shape,
  ]);
  return { ...description, inputSchema: { ...inputSchema, properties: Object.fromEntries(properties) } };
}

export type { Tool, ToolAnswer, ToolContext };

/** An answer in the service's own lines; `memories` are those whose text it shows. */
export function linesAnswer(
  lines: readonly string[],
  { memories = [], notices = [], ...structured }: Facts = {},
): ToolAnswer {
  const all = [...notices, ...noticesOfTrust(memories)];
  const text = [...lines, ...(all.length === 0 ? [] : ['', 'notices:', ...all.map((notice) => `- ${notice}`)])].join(
    '\n',
  );
  return {
    structured: {
      message: cleanText(lines[0] ?? ''),
      ...structured,
      ...(all.length > 0 && { notices: all }),
    },
    text,
  };
}

interface Facts extends Record<string, unknown> {
  memories?: readonly Memory[];
  notices?: readonly string[];
}

/** The same for what the service answers as JSON. */
export function documentAnswer(
  document: Record<string, unknown>,
  { memories = [], notices = [] }: Pick<Facts, 'memories' | 'notices'> = {},
): ToolAnswer {
  const all = [...notices, ...noticesOfTrust(memories)];
  return jsonAnswer({ ...document, ...(all.length > 0 && { notices: all }) });
}

/** What was asked for was not done, and the caller is told why. */
export function failedAnswer(text: string, structured: Record<string, unknown> = {}): ToolAnswer {
  return { structured: { message: text, ...structured }, text, isError: true };
}
