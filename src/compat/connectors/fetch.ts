import { firstLine } from '../../engine/search/text/make-snippet.ts';
import { cleanJson } from '../../mcp/clean-text.ts';
import { recordUri } from '../../mcp/record-uri.ts';
import { defineTool } from '../../mcp/tool.ts';
import { EngineError } from '../../model/errors.ts';
import { label } from '../../verbs/field.ts';
import { describeMemory } from '../../verbs/memories/describe-memory.ts';

const TITLE_CHARS = 120;

export const fetch = defineTool<{ id: string }>({
  name: 'fetch',
  title: 'Fetch',
  text: 'The whole text of one search result.',
  action: 'read',
  listed: { id: label(undefined, { isRequired: true, isVerbatim: true }) },
  output: { id: { type: 'string' }, title: { type: 'string' }, text: { type: 'string' }, url: { type: 'string' } },
  async run({ engine, caller, now }, { id }) {
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
