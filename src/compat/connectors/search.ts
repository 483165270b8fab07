import { cleanText } from '../../mcp/clean-text.ts';
import { recordUri } from '../../mcp/record-uri.ts';
import { defineTool } from '../../mcp/tool.ts';
import { text } from '../../verbs/field.ts';

/** The form ChatGPT's connectors demand: exactly one text block, the JSON of the structured answer. */
export const search = defineTool<{ query: string }>({
  name: 'search',
  title: 'Search',
  text: 'Find memories; fetch gives the text of a result.',
  action: 'read',
  listed: { query: text(undefined, { max: 10_000, isRequired: true, isVerbatim: true }) },
  output: {
    results: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, title: { type: 'string' }, url: { type: 'string' } },
      },
    },
  },
  async run({ engine, caller }, { query }) {
    const { hits } = await engine.search(caller, { query });
    const structured = {
      results: hits.map((hit) => ({ id: hit.id, title: cleanText(hit.title) || hit.id, url: recordUri(hit.id) })),
    };
    return { structured, text: JSON.stringify(structured) };
  },
});
