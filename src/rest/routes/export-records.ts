import { z } from 'zod';
import type { ListFilter } from '../../model/filter.ts';
import { queryFilterFields, queryFlag, toRecordFilter } from '../filter-fields.ts';
import { defineRoute } from '../route.ts';

const { after: _after, before: _before, ...filterFields } = queryFilterFields;

export const exportRecords = defineRoute({
  method: 'GET',
  path: '/export',
  name: 'exportRecords',
  action: 'read',
  group: 'Exchange',
  summary: 'Everything as JSON lines, versions and relations included',
  query: z.strictObject({
    ...filterFields,
    include_deleted: queryFlag.optional().describe('true where nothing is said.'),
    include_versions: queryFlag.optional().describe('true where nothing is said.'),
  }),
  answers: {
    200: {
      description: 'A header, a line for each record, version and relation, and an end line with a checksum.',
      schema: z.string(),
      contentType: 'application/x-ndjson',
    },
  },
  async handle({ engine, caller, query }) {
    const { include_deleted, include_versions, ...fields } = query;
    const filter: ListFilter = toRecordFilter(fields);
    const lines = engine.exportRecords(caller, {
      ...(Object.keys(filter).length === 0 ? {} : { filter }),
      ...(include_deleted === undefined ? {} : { includeDeleted: include_deleted }),
      ...(include_versions === undefined ? {} : { includeVersions: include_versions }),
    });
    return {
      status: 200,
      lines,
      headers: {
        'Content-Type': 'application/x-ndjson',
        'Content-Disposition': 'attachment; filename="ltm-export.jsonl"',
      },
    };
  },
});
