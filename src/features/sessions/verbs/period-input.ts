import { cursor, type Fields, integer, label, time } from '../../../verbs/field.ts';
import type { PeriodInput } from '../read-sessions.ts';

export type { PeriodInput };

const DEFAULT_LIMIT = 20;

/** What listings of sessions and of what happened in them can be narrowed by. */
export const PERIOD: Fields = {
  project: label('Only this project.'),
  session: label("Only this session, by the agent's own id."),
  agent: label('Only this agent, such as claude-code.'),
  since: time('From this time on: a date, or a phrase such as "last Tuesday".'),
  until: time('Before this time.'),
  limit: integer(1, 1000, `Maximum number of results. Default: ${DEFAULT_LIMIT}.`),
  cursor,
};

export const PERIOD_FLAGS = [['project', 'p'], 'session', 'agent', 'since', 'until', ['limit', 'n'], 'cursor'] as const;
