import * as z from 'zod';
import { firstLine } from '../../engine/search/text/make-snippet.ts';
import { EngineError } from '../../model/errors.ts';
import { memoryRefSchema } from '../../model/memory.ts';
import { cleanJson } from '../clean-text.ts';
import { describeMemory } from '../describe-memory.ts';
import { recordUri } from '../record-uri.ts';
import { defineTool } from '../tool.ts';

const TITLE_CHARS = 120;

export const fetch = defineTool({
  name: 'fetch',
  title: 'Fetch',
  description: 'The whole text of one search result.',
  action: 'read',
  listed: { id: memoryRefSchema },
  unlisted: {},
  output: { id: z.string(), title: z.string(), text: z.string(), url: z.string() },
  run: async ({ engine, caller, now }, { id }) => {
    const { memories } = await engine.getMemories(caller, { refs: [id] });
    const memory = memories[0];
    if (memory === undefined)
      throw new EngineError('not_found', `There is no memory ${id}.`, {
        hint: 'Take an id from search.',
        details: { id },
      });
    const { content, id: _, ...metadata } = describeMemory(memory, now);
    const answer = {
      id: memory.id,
      title: firstLine(memory.content, TITLE_CHARS) || memory.id,
      text: content,
      url: recordUri(memory.id),
      metadata,
    };
    const structured = cleanJson(answer) as Record<string, unknown>;
    return { structured, text: JSON.stringify(structured) };
  },
});
