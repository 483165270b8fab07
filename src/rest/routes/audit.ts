import { z } from 'zod';
import { queryInteger } from '../filter-fields.ts';
import { auditEntrySchema, toAuditJson } from '../identity-json.ts';
import { instantSchema, toIso } from '../memory-json.ts';
import { defineRoute } from '../route.ts';

const DEFAULT_LIMIT = 50;
const limitField = queryInteger(1, 500).optional().describe('50 where nothing is said.');

export const listAudit = defineRoute({
  method: 'GET',
  path: '/audit',
  name: 'listAudit',
  action: 'admin',
  group: 'People',
  summary: 'Who changed what about people, teams and tokens, newest first',
  query: z.strictObject({
    limit: limitField,
    cursor: z.string().min(1).max(100).optional().describe('From the answer before.'),
  }),
  example: { path: '/audit?limit=20' },
  answers: {
    200: {
      description:
        'Of the whole server, for its owner; of one team, for its admins who name the team (?team= or the header X-Ltm-Team).',
      schema: z.strictObject({ entries: z.array(auditEntrySchema), cursor: z.string().nullable() }),
    },
  },
  async handle({ accounts, caller, query }) {
    const { items, cursor } = await accounts.listAudit(caller, {
      limit: query.limit ?? DEFAULT_LIMIT,
      ...(caller.space === caller.userId ? {} : { team: caller.space }),
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    });
    return { status: 200, body: { entries: items.map(toAuditJson), cursor } };
  },
});

export const listChanges = defineRoute({
  method: 'GET',
  path: '/changes',
  name: 'listChanges',
  action: 'admin',
  group: 'People',
  summary: 'What was written in a space, by whom, in order',
  query: z.strictObject({
    after: queryInteger(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Changes after this number; from the first where nothing is said.'),
    limit: limitField,
  }),
  example: { path: '/changes?after=0' },
  answers: {
    200: {
      description: 'The change feed of your space, or of the team that the request names. Never contents.',
      schema: z.strictObject({
        changes: z.array(
          z.strictObject({
            seq: z.number().int(),
            at: instantSchema,
            op: z.string(),
            id: z.string(),
            kind: z.string().nullable(),
            revision: z.number().int().nullable(),
            actor: z.string(),
            relation: z
              .strictObject({ to: z.string(), type: z.string() })
              .nullable()
              .describe('Of `related` and `unrelated`: where the relation ends, and its type.'),
          }),
        ),
        last: z.number().int().describe('Pass it as `after` to go on.'),
      }),
    },
  },
  async handle({ engine, caller, query }) {
    const after = query.after ?? 0;
    const entries = await engine.listChanges(caller, { after, limit: query.limit ?? DEFAULT_LIMIT });
    return {
      status: 200,
      body: {
        changes: entries.map(({ at, ...entry }) => ({ ...entry, at: toIso(at) })),
        last: entries.at(-1)?.seq ?? after,
      },
    };
  },
});
