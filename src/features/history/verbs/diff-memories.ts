import { shorten } from '../../../model/cut-text.ts';
import { cleanText } from '../../../model/hidden-characters.ts';
import { toIso } from '../../../model/instant.ts';
import { unlessEmpty } from '../../../verbs/describe-memory.ts';
import { describeOrigin, noticesOfTrust, sayOriginOnce } from '../../../verbs/describe-origin.ts';
import { integer, label, time } from '../../../verbs/field.ts';
import { readTimes, type TimeInput } from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Diff } from '../history.ts';

export interface DiffMemoriesInput {
  from: TimeInput;
  to?: TimeInput;
  project?: string;
  limit?: number;
}

const SHOWN_CHARS = 240;

export const diffMemories = defineVerb<DiffMemoriesInput, Diff>({
  needs: 'read',
  input: {
    from: time('The earlier time: a date or time in ISO 8601, or a phrase such as "last Monday".', {
      isRequired: true,
    }),
    to: time('The later time. Default: now. A date means the end of that day.'),
    project: label('Only this project.'),
    limit: integer(1, 1000, 'Maximum number of memories. Default: 100.'),
  },
  async run(context, input) {
    const read = await readTimes<DiffMemoriesInput, 'from' | 'to'>(input, { from: 'start', to: 'end' }, context);
    return context.engine.diffMemories(context.caller, read);
  },
  rest: {
    at: 'GET /diff',
    summary: 'What was added, changed and removed between two times',
    headers: ['X-Time-Zone'],
    example: { path: '/diff?from=2026-01-01' },
    answers: { 200: 'The latest first.' },
  },
  tool: {
    family: 'graph',
    name: 'memory_diff',
    title: 'What changed between two times',
    text: 'Memories added, changed and removed between two times, with their texts before and after.',
    shown: { from: 'Date or phrase', to: 'Default: now', project: '', limit: '' },
    output: { total: 'number', entries: ['object'] },
    answer({ fromAt, toAt, entries, total }, { context }) {
      const described = entries.map(({ was, is, at, fields, trust, source, title, ...entry }) => ({
        ...entry,
        title: cleanText(title),
        fields: fields.length === 0 ? undefined : fields,
        at: toIso(at),
        was: was === null ? undefined : cleanText(shorten(was, SHOWN_CHARS)),
        is: is === null ? undefined : cleanText(shorten(is, SHOWN_CHARS)),
        ...describeOrigin({ trust, source }, context),
      }));
      const { shared, items } = sayOriginOnce(described);
      return {
        message: `${total} changes between ${toIso(fromAt)} and ${toIso(toAt)}.`,
        total,
        ...shared,
        entries: items,
        notices: unlessEmpty(noticesOfTrust(entries)),
      };
    },
  },
  command: {
    name: 'changes',
    summary: 'Show what was added, changed and removed between two times',
    usage: '[FROM [TO]]',
    about: 'Compares your memories at two times, by default since yesterday. A day as the end counts as a whole.',
    flags: [
      ['project', 'p'],
      ['limit', 'n'],
    ],
    maxWords: 2,
    examples: ['ltm changes', 'ltm changes "last Monday"', 'ltm changes 2026-01-01 2026-01-31'],
  },
});
