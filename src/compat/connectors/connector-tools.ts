import { firstLine } from '../../engine/search/text/make-snippet.ts';
import { cleanText } from '../../mcp/clean-text.ts';
import { recordUri } from '../../mcp/resource-subscriptions.ts';
import { defineTool, jsonAnswer, type Tool } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { label, text } from '../../verbs/field.ts';
import { describeMemory } from '../../verbs/memories/describe-memory.ts';

const TITLE_CHARS = 120;

const search = defineTool<{ query: string }>({
  name: 'search',
  title: 'Search',
  text: 'Find memories; fetch gives the text of a result.',
  action: 'read',
  listed: { query: text(undefined, { max: 10_000, isRequired: true, isVerbatim: true }) },
  output: { results: [{ id: 'string', title: 'string', url: 'string' }] },
  async run({ engine, caller }, { query }) {
    const { hits } = await engine.search(caller, { query });
    return jsonAnswer({
      results: hits.map(({ id, title }) => ({ id, title: cleanText(title) || id, url: recordUri(id) })),
    });
  },
});

const fetch = defineTool<{ id: string }>({
  name: 'fetch',
  title: 'Fetch',
  text: 'The whole text of one search result.',
  action: 'read',
  listed: { id: label(undefined, { isRequired: true, isVerbatim: true }) },
  output: { id: 'string', title: 'string', text: 'string', url: 'string' },
  async run({ engine, caller, now }, { id }) {
    const [memory] = (await engine.getMemories(caller, { refs: [id] })).memories;
    if (memory === undefined)
      throw new EngineError('not_found', `There is no memory ${id}.`, {
        hint: 'Take an id from search.',
        details: { id },
      });
    const { content, id: _, ...metadata } = describeMemory(memory, now);
    const title = firstLine(memory.content, TITLE_CHARS) || memory.id;
    return jsonAnswer({ id: memory.id, title, text: content, url: recordUri(memory.id), metadata });
  },
});

/** The form ChatGPT's connectors demand: exactly one text block, the JSON of the structured answer. */
export const CONNECTOR_TOOLS: readonly Tool[] = [search, fetch];
