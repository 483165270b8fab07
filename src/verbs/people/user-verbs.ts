import type { NewUserInput } from '../../auth/accounts.ts';
import type { FeedEntry } from '../../model/change.ts';
import type { AuditEntry, User } from '../../model/identity.ts';
import type { Sequence } from '../../model/ids.ts';
import { integer, label, text } from '../field.ts';
import { definePeopleVerb, newPassword, personRef } from './define-people-verb.ts';

const DEFAULT_LIMIT = 50;
const limitField = integer(1, 500, '50 where nothing is said.');

/** About everybody on the server, and what they did. */
export const USER_VERBS = {
  listUsers: definePeopleVerb<object, { users: User[] }>({
    needs: 'admin',
    at: 'GET /users',
    summary: 'Everybody on this server, oldest first',
    answers: { 200: "For the server's owner." },
    run: async ({ accounts, asker }) => ({ users: await accounts.listUsers(asker) }),
  }),

  addUser: definePeopleVerb<NewUserInput, { user: User; created: boolean }>({
    needs: 'admin',
    at: 'POST /users',
    summary: 'Add somebody, by id, email or name',
    example: { body: { email: 'ada@example.org', name: 'Ada' } },
    answers: {
      201: "Added. For the server's owner.",
      200: 'They were here already, and stay as they are.',
      409: 'Somebody else has this email.',
    },
    statusOf: ({ created }) => (created ? 201 : 200),
    input: {
      id: label('Made up where nothing is said.', { max: 128 }),
      email: label('What they sign in with.', { max: 254 }),
      name: label('As others see it; from the email or id where nothing is said.', { max: 100 }),
    },
    run: ({ accounts, asker }, wanted) => accounts.ensureUser(asker, wanted),
  }),

  suspendUser: definePeopleVerb<{ user: string; suspended: boolean }, { user: User }>({
    needs: 'admin',
    at: 'PATCH /users/{user}',
    summary: 'Suspend somebody, or let them in again',
    example: { body: { suspended: true } },
    answers: { 200: "For the server's owner. Acts at once on every credential." },
    input: { user: personRef, suspended: { type: 'flag', isRequired: true } },
    run: async ({ accounts, asker }, { user, suspended }) => ({
      user: await accounts.suspendUser(asker, user, suspended),
    }),
  }),

  removeUser: definePeopleVerb<{ user: string }, void>({
    needs: 'admin',
    at: 'DELETE /users/{user}',
    summary: 'Remove somebody, with tokens, password and memberships; their memories stay until purged',
    answers: { 204: "For the server's owner.", 409: 'They own a team: hand it over first.' },
    input: { user: personRef },
    run: ({ accounts, asker }, { user }) => accounts.removeUser(asker, user),
  }),

  setPassword: definePeopleVerb<{ user: string; password: string | null }, void>({
    needs: 'admin',
    at: 'PUT /users/{user}/password',
    summary: 'Set the password of somebody; browser sessions and programs that the old one let in are put out',
    example: { body: { password: 'five unrelated words are fine' } },
    answers: { 204: "It is set. For the server's owner." },
    input: { user: personRef, password: newPassword },
    run: ({ accounts, asker }, { user, password: wanted }) => accounts.setPassword(asker, user, wanted),
  }),

  listAudit: definePeopleVerb<
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
  }),

  listChanges: definePeopleVerb<{ after?: Sequence; limit?: number }, { changes: FeedEntry[]; last: Sequence }>({
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
  }),
};
