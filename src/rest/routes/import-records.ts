import { z } from 'zod';
import { RequestProblem } from '../error-response.ts';
import { queryFlag } from '../filter-fields.ts';
import { readLines } from '../read-lines.ts';
import { defineRoute } from '../route.ts';

const MAX_PROBLEMS_SHOWN = 50;

export const importRecords = defineRoute({
  method: 'POST',
  path: '/import',
  name: 'importRecords',
  action: 'admin',
  group: 'Exchange',
  summary: 'Take in what GET /export gave',
  query: z.strictObject({
    dry_run: queryFlag.optional().describe('Only say what would happen.'),
    untrusted: queryFlag.optional().describe('Mark everything as untrusted, whatever the file says.'),
  }),
  streamedBody: ['application/x-ndjson', 'application/jsonl', 'application/json-lines'],
  answers: {
    200: {
      description: 'What was taken in. A line that cannot be read makes the whole import fail before it writes.',
      schema: z.strictObject({
        records: z.number().int(),
        unchanged: z.number().int(),
        conflicts: z.array(z.string()),
        versions: z.number().int(),
        relations: z.number().int(),
      }),
    },
  },
  async handle({ engine, caller, query, request, maxImportBytes }) {
    const { problems, ...report } = await engine.importRecords(
      { ...caller, door: 'import' },
      readLines(request, maxImportBytes),
      {
        ...(query.dry_run === undefined ? {} : { dryRun: query.dry_run }),
        ...(query.untrusted === undefined ? {} : { untrusted: query.untrusted }),
      },
    );
    if (problems.length === 0) return { status: 200, body: report };
    throw new RequestProblem('invalid_input', `Nothing was imported: ${problems.length} lines cannot be read.`, {
      errors: problems.slice(0, MAX_PROBLEMS_SHOWN).map(({ line, message }) => ({ field: `line ${line}`, message })),
    });
  },
});
