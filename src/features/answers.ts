import { z } from 'zod';
import { SCOPES } from '../model/caller.ts';
import { ROLES } from '../model/identity.ts';
import { CONSOLIDATION_ANSWERS } from './consolidation/consolidation-answers.ts';
import { DOCUMENT_ANSWERS } from './documents/document-answers.ts';
import { GRAPH_ANSWERS } from './graph/graph-answers.ts';
import { HISTORY_ANSWERS } from './history/history-answers.ts';
import { count, counts, instant, MEMORY_ANSWERS, redactions, text, texts } from './memories/memory-answers.ts';
import { QUALITY_ANSWERS } from './quality/quality-answers.ts';
import { SESSION_ANSWERS } from './sessions/session-answers.ts';
import { CONTEXT_REASONS } from './sessions/session-context.ts';
import { SYNC_ANSWERS } from './sync/sync-answers.ts';
import { WORKSPACE_ANSWERS } from './workspaces/workspace-answers.ts';

const { strictObject: fields, array: list } = z;
const role = z.enum(ROLES);
const scopes = list(z.enum(SCOPES));
const labels = list(fields({ name: text, count }));

/** What the verbs about labels, state and exchange answer, by their names. */
const STATE_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  listTags: fields({ tags: labels }),
  listProjects: fields({ projects: labels }),
  listAgents: fields({ agents: labels }),
  listTypes: fields({ types: labels, known: z.record(text, texts).describe('Base types and their subtypes.') }),
  showStats: fields({
    ...counts('memories', 'deleted', 'superseded', 'created_this_week', 'tags', 'passages', 'relations'),
    ...counts('versions'),
    bytes: count.optional().describe('Of the whole database; shown to the operator only.'),
    changes: count.describe('Lines of the change feed.'),
  }),
  checkHealth: fields({
    status: z.enum(['healthy', 'degraded']),
    version: text,
    problems: texts,
    notices: texts.describe('What is no problem, and may surprise.'),
    store: z.enum(['sqlite', 'postgres']),
    location: text.optional().describe('Shown to the operator only.'),
    row_security: fields({ stands: z.enum(['fully', 'against_mistakes', 'not']), detail: text })
      .nullable()
      .optional()
      .describe('Whether PostgreSQL keeps spaces apart too. Shown to the operator only.'),
    schema_version: count,
    bytes: z.number().optional().describe('Of the whole database; shown to the operator only.'),
    embedder: fields({ id: text, ...counts('dimensions', 'pending'), searching: text }).nullable(),
    index: fields({
      spaces: z.number().optional().describe('Of all loaded indexes; shown to the operator only.'),
      passages: z.number().optional(),
      bytes: z.number().optional(),
      segments: z.number(),
      segment_bytes: z.number(),
      head: z.number(),
    }),
    searches: fields({ total: z.number(), average_ms: z.number() }).optional().describe('Shown to the operator only.'),
  }),
  importRecords: fields({
    ...counts('records', 'unchanged', 'updated'),
    rejected: count.describe('Left out, or deleted again, because somebody has rejected the text.'),
    conflicts: texts,
    redacted: texts.describe('Records in which secrets were found, and where.'),
    ...counts('versions', 'relations'),
    problems: list(fields({ line: count, message: text })),
    skipped: list(fields({ line: count, message: text })).describe('Lines that were left out (skip_damaged).'),
    lacking: texts.describe('What the file says that it lacks, because it was damaged where it was written.'),
  }),
  scrubRecords: fields({
    checked: count,
    found: list(fields({ space: text, id: text, kind: text, redactions, versions: count })).describe(
      'The first thousand; `versions` counts earlier versions with secrets.',
    ),
    ...counts('count', 'replaced'),
    kept: count.describe('Left alone because a person wanted the secret stored.'),
    remains: texts.describe('What may still hold the old text.'),
  }),
  getContext: fields({
    context: text.nullable().describe('The block with its tags; null if there is none.'),
    reason: z.enum(CONTEXT_REASONS).describe('search and recency say how it was chosen; the others why there is none.'),
    entries: list(fields({ id: text, kind: text, line: text, why: text })),
    tokens: count.describe('What the block costs, by a careful estimate.'),
    withheld: count.describe('Lines left out because they hold what looks like a key.'),
  }),
  listSpend: fields({
    days: list(
      fields({ day: text, model: text, ...counts('calls', 'input_tokens', 'output_tokens', 'summarized', 'failed') }),
    ),
    model: text.nullable().describe('The model that is asked; null if none is set.'),
    daily_calls: count.describe('Maximum number of calls per day; 0 means unlimited.'),
    calls_today: count,
  }),
};

const user = fields({
  id: text,
  name: text,
  email: text.nullable(),
  created_at: instant,
  suspended_at: instant.nullable().describe('If set, this person has no access.'),
});

const team = fields({
  id: text.describe('The id of the team and of its space.'),
  name: text,
  owner_id: text,
  created_at: instant,
  role: role.describe('Yours.'),
});

const member = fields({ user_id: text, name: text, email: text.nullable(), role, joined_at: instant });

const token = fields({
  id: text,
  name: text,
  user_id: text,
  scopes,
  team_id: text.nullable().describe('If set, it is restricted to this team.'),
  agent: text.nullable().describe('If set, the agent label of everything written with it.'),
  workspace: text.nullable().describe('If set, the only workspace it can change.'),
  created_at: instant,
  last_used_at: instant.nullable().describe('To the minute.'),
  revoked_at: instant.nullable(),
  expires_at: instant.nullable(),
});

const grant = fields({
  id: text,
  name: text.describe('The name the program gave itself.'),
  client_id: text,
  redirect_host: text.nullable().describe('Where authorization codes are sent; null for a device.'),
  scopes,
  team_id: text.nullable().describe('If set, it is restricted to this team.'),
  created_at: instant,
});

const invite = fields({ id: text, role, created_by: text, created_at: instant, expires_at: instant });

const auditEntry = fields({
  seq: count,
  at: instant,
  actor: text.describe('A user id, or `operator` for commands on the server machine.'),
  op: text,
  subject: text,
  team_id: text.nullable(),
});

const change = fields({
  seq: count,
  at: instant,
  op: text,
  id: text,
  kind: text.nullable(),
  revision: count.nullable(),
  actor: text,
  relation: fields({ to: text, type: text })
    .nullable()
    .describe('Of `related` and `unrelated`: where the relation ends, and its type.'),
});

/** What the verbs about people, teams and tokens answer, by their names. */
const PEOPLE_ANSWERS: Readonly<Record<string, z.ZodType>> = {
  whoami: fields({
    user,
    space: text.describe('Where your writes go: your own space, or the team named in the request.'),
    scopes,
    credential: fields({ kind: z.enum(['personal', 'file', 'oauth']), id: text }).nullable(),
    teams: list(team),
  }),
  listTokens: fields({ tokens: list(token) }),
  createToken: fields({ value: text, token }),
  listGrants: fields({ grants: list(grant) }),
  listTeams: fields({ teams: list(team) }),
  createTeam: fields({ team }),
  transferTeam: fields({ team }),
  listMembers: fields({ members: list(member) }),
  createInvite: fields({ id: text, code: text, url: text, role, expires_at: instant }),
  listInvites: fields({ invites: list(invite) }),
  acceptInvite: fields({ user, team }),
  listUsers: fields({ users: list(user) }),
  addUser: fields({ user, created: z.boolean() }),
  suspendUser: fields({ user }),
  removeUser: fields({
    outcome: z.enum(['purged', 'would_remove']),
    user: text,
    name: text,
    stored: fields(counts('own', 'in_teams'))
      .nullable()
      .describe('With `purge`: what they stored in their own space and in teams.'),
  }),
  listAudit: fields({ entries: list(auditEntry), cursor: text.nullable() }),
  listChanges: fields({ changes: list(change), last: count.describe('Pass it as `after` to continue.') }),
};

/** What each verb answers over REST, by its name. */
export const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  lines: z.string(),
  ...MEMORY_ANSWERS,
  ...STATE_ANSWERS,
  ...PEOPLE_ANSWERS,
  ...SESSION_ANSWERS,
  ...QUALITY_ANSWERS,
  ...GRAPH_ANSWERS,
  ...SYNC_ANSWERS,
  ...WORKSPACE_ANSWERS,
  ...HISTORY_ANSWERS,
  ...CONSOLIDATION_ANSWERS,
  ...DOCUMENT_ANSWERS,
};
