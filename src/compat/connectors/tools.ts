import type { Memory } from '../../features/memories/memory.ts';
import { noticesOfVerdict } from '../../features/memories/verbs/advise-nothing.ts';
import { recordUri } from '../../mcp/resource-subscriptions.ts';
import { defineTool, jsonAnswer } from '../../mcp/tool.ts';
import type { ToolGroup } from '../../mcp/tool-table.ts';
import { defined } from '../../model/defined.ts';
import { EngineError } from '../../model/errors.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import { firstLine } from '../../search/text/make-snippet.ts';
import { describeMemory, unlessEmpty } from '../../verbs/describe-memory.ts';
import { describeOrigin, noticesOfTrust } from '../../verbs/describe-origin.ts';
import { label, text } from '../../verbs/field.ts';

const TITLE_CHARS = 120;

const search = defineTool<{ query: string }>({
  name: 'search',
  title: 'Search',
  text: 'Find memories; fetch gives the text of a result.',
  action: 'read',
  listed: { query: text(undefined, { max: 10_000, isRequired: true, isVerbatim: true }) },
  output: { results: [{ id: 'string', title: 'string', url: 'string' }] },
  async run(context, { query }) {
    const result = await context.engine.search(context.caller, { query });
    const { hits } = result;
    const results = hits.map((hit) => ({
      id: hit.id,
      title: markTitle(hit, hit.title),
      url: recordUri(hit.id),
      ...describeOrigin(hit, context),
    }));
    const notices = [...noticesOfTrust(hits), ...noticesOfVerdict(result)];
    return jsonAnswer(defined({ results, notices: unlessEmpty(notices) }));
  },
});

const fetch = defineTool<{ id: string }>({
  name: 'fetch',
  title: 'Fetch',
  text: 'The whole text of one search result.',
  action: 'read',
  listed: { id: label(undefined, { isRequired: true, isVerbatim: true }) },
  output: { id: 'string', title: 'string', text: 'string', url: 'string' },
  async run(context, { id }) {
    const [memory] = (await context.engine.getMemories(context.caller, { refs: [id] })).memories;
    if (memory === undefined)
      throw new EngineError('not_found', `There is no memory ${id}.`, {
        hint: 'Take an id from search.',
        details: { id },
      });
    const { content, id: _, ...facts } = describeMemory(memory, context);
    const [notice] = noticesOfTrust([memory]);
    const title = markTitle(memory, firstLine(memory.content, TITLE_CHARS));
    const metadata = { ...facts, notice };
    return jsonAnswer({ id: memory.id, title, text: content, url: recordUri(memory.id), metadata }, { isWhole: true });
  },
});

/** In the title too: it is all that some clients show. */
function markTitle({ id, trust }: Pick<Memory, 'id' | 'trust'>, title: string): string {
  const shown = cleanText(title) || id;
  return trust === 'untrusted' ? `[untrusted] ${shown}` : shown;
}

/** The form ChatGPT's connectors demand: exactly one text block, the JSON of the structured answer. */
export const listTools = (): readonly ToolGroup[] => [{ family: 'core', tools: [search, fetch] }];
