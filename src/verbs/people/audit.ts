import type { FeedEntry } from '../../model/change.ts';
import type { AuditEntry } from '../../model/identity.ts';
import type { Sequence } from '../../model/ids.ts';
import { integer, label, text } from '../field.ts';
import { definePeopleVerb } from './define-people-verb.ts';

const DEFAULT_LIMIT = 50;
const limitField = integer(1, 500, '50 where nothing is said.');

export const listAudit = definePeopleVerb<
  { team?: string; limit?: number; cursor?: string },
  { entries: AuditEntry[]; cursor: string | null }
>({
  needs: 'admin',
  at: 'GET /audit',
  summary: 'Who changed what about people, teams and tokens, newest first',
  example: { path: '/audit?limit=20' },
  answers: {
    200: 'Of the whole server, for its owner; of one team, for its admins who name the team (?team= or the header X-Ltm-Team).',
  },
  input: {
    limit: limitField,
    cursor: text('From the answer before.', { min: 1, max: 100 }),
    team: label('What concerns this team alone.'),
  },
  /** A request that names a team is made in its space. */
  async run({ accounts, asker, caller }, { team, limit = DEFAULT_LIMIT, cursor: from }) {
    const space = caller.space === caller.userId ? undefined : caller.space;
    const { items, cursor } = await accounts.listAudit(asker, { team: team ?? space, limit, cursor: from });
    return { entries: items, cursor };
  },
});

export const listChanges = definePeopleVerb<
  { after?: Sequence; limit?: number },
  { changes: FeedEntry[]; last: Sequence }
>({
  needs: 'admin',
  at: 'GET /changes',
  summary: 'What was written in a space, by whom, in order',
  example: { path: '/changes?after=0' },
  answers: { 200: 'The change feed of your space, or of the team that the request names. Never contents.' },
  input: {
    after: integer(0, Number.MAX_SAFE_INTEGER, 'Changes after this number; from the first where nothing is said.'),
    limit: limitField,
  },
  async run({ engine, caller }, { after = 0, limit = DEFAULT_LIMIT }) {
    const changes = await engine.listChanges(caller, { after, limit });
    return { changes, last: changes.at(-1)?.seq ?? after };
  },
});
