import { z } from 'zod';
import { SESSION_EVENTS } from '../../model/session-event.ts';
import { type Answers, count, counts, instant, source, text, texts, trust } from '../../rest/answer-fields.ts';
import { SESSION_STATES } from './read-sessions.ts';
import { CONTEXT_REASONS } from './session-context.ts';

const { strictObject: fields, array: list } = z;

const observation = fields({
  id: text,
  number: count.describe('Per space, never given twice.'),
  at: instant,
  event: z.enum(SESSION_EVENTS),
  type: text,
  title: text,
  summary: text,
  tool: text.nullable(),
  input: text.describe('JSON, or the beginning of it.'),
  output: text,
  text: text.describe('Of a prompt or a reply: what was said.'),
  files: texts,
  concepts: texts,
  prompt: count.describe('Which prompt of the session it follows.'),
  failed: z.boolean(),
  act: text.nullable().describe('What sort of act it was, such as edit or command.'),
  command: text.nullable().describe('Of a command: what it comes down to.'),
  problem: text.nullable().describe('Of what failed: what went wrong.'),
  screened: texts.describe('What was replaced or left out.'),
  session: text,
  agent: text.nullable(),
  project: text.nullable(),
  source,
  trust,
});

const session = fields({
  id: text,
  session: text.describe("The agent's own id of it."),
  agent: text.nullable(),
  project: text.nullable(),
  directory: text.nullable(),
  started_at: instant,
  last_at: instant,
  ended_at: instant.nullable(),
  title: text,
  first_prompt: text,
  counts: fields(counts('observations', 'prompts', 'tools', 'failures')),
  digest: fields({ asked: text, done: texts, decided: texts, failed: texts, open: texts, next: text }),
  transcript: text.nullable(),
  state: z.enum(SESSION_STATES),
  source,
  trust,
});

const entry = fields({
  id: text,
  kind: text,
  number: count.nullable(),
  at: instant,
  type: text,
  title: text,
  project: text.nullable(),
  agent: text.nullable(),
  session: text.nullable(),
  source,
  trust,
});

const page = { total: count, cursor: text.nullable(), next: text.nullable(), damaged: texts.optional() };

export const ANSWERS: Answers = {
  recordEvents: fields({
    ...counts('recorded'),
    repeated: count.describe('They were recorded before, or are gone for good.'),
    refused: list(fields({ key: text, reason: text })),
  }),
  listSessions: fields({ sessions: list(session), ...page }),
  listObservations: fields({ observations: list(observation), ...page }),
  getObservations: fields({ observations: list(observation), missing: texts, damaged: texts.optional() }),
  getSurroundings: fields({ before: list(observation), target: observation, after: list(observation) }),
  forgetObservations: fields({
    forgotten: count,
    missing: texts,
    derived: texts.describe('Memories that were read out of the session and stay, the first hundred.'),
    derived_count: count,
  }),
  countObserved: fields(counts('sessions', 'observations', 'user_observations', 'concepts')),
  getTimeline: fields({ entries: list(entry), ...page }),
  getContext: fields({
    context: text.nullable().describe('The block with its tags; null if there is none.'),
    reason: z.enum(CONTEXT_REASONS).describe('search and recency say how it was chosen; the others why there is none.'),
    entries: list(fields({ id: text, kind: text, line: text, why: text })),
    tokens: count.describe('What the block costs, by a careful estimate.'),
    withheld: count.describe('Lines left out because they hold what looks like a key.'),
  }),
};
