import type { PageFacts } from '../../../model/page.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { ListedSession } from '../read-sessions.ts';
import { PERIOD, PERIOD_FLAGS, type PeriodInput } from './period-input.ts';

export interface ListedSessions extends PageFacts {
  sessions: ListedSession[];
}

export const listSessions = defineVerb<PeriodInput, ListedSessions>({
  needs: 'read',
  input: PERIOD,
  async run({ engine, caller }, input) {
    const { items, ...page } = await engine.listSessions(caller, input);
    return { sessions: items, ...page };
  },
  rest: {
    at: 'GET /sessions',
    summary: 'List sessions of agents, newest first',
    headers: ['X-Time-Zone'],
    example: { path: '/sessions?project=web&limit=5' },
    answers: { 200: 'One page.' },
    isPaged: true,
  },
  command: {
    name: 'sessions',
    summary: 'List sessions of agents, newest first',
    usage: '',
    about:
      'Shows what was asked in each session and what came of it. `ltm observations --session ID` shows what happened in one.',
    flags: PERIOD_FLAGS,
    maxWords: 0,
    examples: ['ltm sessions', 'ltm sessions --project web --since "last week"'],
  },
});
