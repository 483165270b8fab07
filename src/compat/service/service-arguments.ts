import type { Arguments, Tool, ToolAnswer, ToolContext } from '../../mcp/tool.ts';
import { UNTRUSTED_NOTICE } from '../../verbs/describe-origin.ts';
import type { Fields } from '../../verbs/field.ts';

/** How mcp-memory-service is spoken to: what it calls the arguments of a tool that we have too. */
export interface ServiceArguments {
  /** Understood beside those of our own tool. */
  fields: Fields;
  /** Calls our tool with arguments in its own words, and adds what is to be said about the rest. */
  run(tool: Tool, context: ToolContext, args: Arguments): Promise<ToolAnswer>;
}

const OUR_NAMES = {
  memory_type: 'type',
  agent_id: 'agent',
  session_id: 'session',
  client_hostname: 'host',
  time_expr: 'when',
  n_results: 'limit',
  page_size: 'limit',
  max_response_chars: 'max_chars',
};

/** Where both names are given, ours counts. */
export function inOurNames(args: Arguments): Record<string, unknown> {
  const renamed = { ...args };
  for (const [theirs, ours] of Object.entries(OUR_NAMES)) {
    if (renamed[theirs] !== undefined) renamed[ours] ??= renamed[theirs];
    delete renamed[theirs];
  }
  return renamed;
}

export function noticesOfStore(store: unknown): string[] {
  return store === undefined ? [] : ['store is not used: there is one store; project separates memories inside it.'];
}

/** An answer that says something more. The warning about untrusted text stays the last one. */
export function addTo(list: 'notices' | 'warnings', answer: ToolAnswer, more: readonly string[]): ToolAnswer {
  if (more.length === 0) return answer;
  const said = (answer.structured[list] ?? []) as readonly string[];
  const isLast = (notice: string): boolean => notice === UNTRUSTED_NOTICE;
  const all = [...said.filter((notice) => !isLast(notice)), ...more, ...said.filter(isLast)];
  return { ...answer, structured: { ...answer.structured, [list]: all } };
}
