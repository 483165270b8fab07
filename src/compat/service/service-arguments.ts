import type { Arguments, Tool, ToolAnswer, ToolContext } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
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

/** What the service calls a store is a project here. `default` and `all` name none: what is stored is in no other, and everything is searched. */
export function projectOfStore(store: unknown): string | undefined {
  return typeof store !== 'string' || store === 'default' || store === 'all' ? undefined : store;
}

/** For what is written: it is in one store. */
export function projectToStoreIn(store: unknown): string | undefined {
  if (store === 'all')
    throw new EngineError('invalid_input', 'store: "all" names every store, and a memory is stored in one.', {
      hint: 'Name one, or leave it out.',
      details: { field: 'store' },
    });
  return projectOfStore(store);
}

/** An answer that says something more. The warning about untrusted text stays the last one. */
export function addTo(list: 'notices' | 'warnings', answer: ToolAnswer, more: readonly string[]): ToolAnswer {
  if (more.length === 0) return answer;
  const said = (answer.structured[list] ?? []) as readonly string[];
  const isLast = (notice: string): boolean => notice === UNTRUSTED_NOTICE;
  const all = [...said.filter((notice) => !isLast(notice)), ...more, ...said.filter(isLast)];
  return { ...answer, structured: { ...answer.structured, [list]: all } };
}
