import { countObserved } from '../../features/sessions/verbs/count-observed.ts';
import {
  EXPORT_FORMATS,
  exportObservations,
  MAX_EXPORT_DAYS,
  UNTRUSTED_LINE,
} from '../../features/sessions/verbs/export-observations.ts';
import { defineTool } from '../../mcp/tool.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import { toIso } from '../../model/instant.ts';
import { choice, flag, label } from '../../verbs/field.ts';
import { fail, readIds, readNumber } from './read-numbers.ts';
import { answer } from './reading-tools.ts';

const MARKDOWN_CHARS = 8000;
export const INVALID_DAYS = `Invalid days: must be between 1 and ${MAX_EXPORT_DAYS}.`;
const DAY = 86_400_000;

interface ExportArguments {
  project?: string;
  days?: unknown;
  format?: (typeof EXPORT_FORMATS)[number];
  include_raw?: boolean;
}

export const memExport = defineTool<ExportArguments>({
  name: 'mem_export',
  title: 'Export observations',
  text: 'Sessions and observations: their numbers (json), or the beginning of a document (markdown).',
  action: 'read',
  listed: {
    project: label('Only this project'),
    days: { type: 'any', about: '' },
    format: choice(EXPORT_FORMATS),
    include_raw: flag('With inputs and outputs'),
  },
  shapes: { days: { type: 'number', description: 'Only the last so many days, 1 to 365' } },
  output: { message: 'string', sessions: 'number', observations: 'number', markdown: 'string' },
  async run(context, { project, days: given, format = 'json', include_raw: includeRaw }) {
    const days = readDays(given);
    if (days === null) return fail(INVALID_DAYS);
    if (format === 'markdown') {
      const lines = await exportObservations.run(context, { project, days, format, includeRaw });
      const markdown = await readStart(lines, MARKDOWN_CHARS);
      return answer(`Exported memory:\n\n${markdown}`, {
        structured: { message: 'Exported memory.', markdown },
        shown: markdown.includes(UNTRUSTED_LINE) ? [{ trust: 'untrusted' }] : [],
      });
    }
    const since = days === undefined ? undefined : toIso(context.now - days * DAY);
    const counts = await countObserved.run(context, { project, since });
    const exported = toIso(context.now);
    const text = [
      '**LongMem Export**',
      `Exported: ${exported}`,
      `Sessions: ${counts.sessions}`,
      `Observations: ${counts.observations}`,
      `User observations: ${counts.userObservations}`,
      `Concepts: ${counts.concepts}`,
    ].join('\n');
    return answer(text, {
      structured: {
        message: `Exported ${exported}.`,
        exported_at: exported,
        sessions: counts.sessions,
        observations: counts.observations,
        user_observations: counts.userObservations,
        concepts: counts.concepts,
      },
      shown: [],
    });
  },
});

/** Undefined: nothing was said. null: no number of days that can be meant. */
export function readDays(value: unknown): number | null | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const days = readNumber(value) ?? 0;
  return Number.isInteger(days) && days >= 1 && days <= MAX_EXPORT_DAYS ? days : null;
}

async function readStart(lines: AsyncIterable<string>, maxChars: number): Promise<string> {
  let text = '';
  for await (const line of lines) {
    text += `${cleanText(line)}\n`;
    if (text.length > maxChars) return `${text.slice(0, maxChars).toWellFormed()}\n\n... (truncated)`;
  }
  return text.trimEnd();
}

export const memForget = defineTool<{ ids?: unknown }>({
  name: 'mem_forget',
  title: 'Forget observations',
  text: 'Delete observations by their ids. They can be restored for a while.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed: { ids: { type: 'any', isRequired: true, about: '' } },
  shapes: { ids: { type: 'array', items: { type: 'number' }, description: 'At most 20' } },
  output: { message: 'string', forgotten: 'number', missing: ['string'] },
  async run({ engine, caller }, { ids }) {
    const read = readIds(ids);
    if ('error' in read) return fail(read.error);
    const { forgotten, missing } = await engine.forgetObservations(caller, { refs: read.refs });
    const gone = forgotten === 1 ? 'Forgot 1 observation.' : `Forgot ${forgotten} observations.`;
    const message = missing.length === 0 ? gone : `${gone} Not found: ${missing.join(', ')}.`;
    return answer(message, { structured: { message, forgotten, missing }, shown: [] });
  },
});
