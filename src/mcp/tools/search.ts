import * as z from 'zod';
import { cleanText } from '../clean-text.ts';
import { recordUri } from '../record-uri.ts';
import { defineTool } from '../tool.ts';

/** The form ChatGPT's connectors demand: exactly one text block, the JSON of the structured answer. */
export const search = defineTool({
  name: 'search',
  title: 'Search',
  description: 'Find memories; fetch gives the text of a result.',
  action: 'read',
  listed: { query: z.string().max(10_000) },
  unlisted: {},
  output: { results: z.array(z.looseObject({ id: z.string(), title: z.string(), url: z.string() })) },
  run: async ({ engine, caller }, { query }) => {
    const { hits } = await engine.search(caller, { query });
    const structured = {
      results: hits.map((hit) => ({ id: hit.id, title: cleanText(hit.title) || hit.id, url: recordUri(hit.id) })),
    };
    return { structured, text: JSON.stringify(structured) };
  },
});
