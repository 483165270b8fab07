import type { PageFacts } from '../../../model/page.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { TimelineEntry } from '../read-sessions.ts';
import { PERIOD, PERIOD_FLAGS, type PeriodInput } from './period-input.ts';

export interface TimelineInput extends PeriodInput {
  kinds?: readonly string[];
}

export interface Timeline extends PageFacts {
  entries: TimelineEntry[];
}

export const getTimeline = defineVerb<TimelineInput, Timeline>({
  needs: 'read',
  input: { ...PERIOD, kinds: { type: 'names', about: 'Only these kinds: memory, packet, session, observation.' } },
  async run({ engine, caller }, input) {
    const { items, ...page } = await engine.getTimeline(caller, input);
    return { entries: items, ...page };
  },
  rest: {
    at: 'GET /timeline',
    summary: 'Sessions, observations, packets and memories by time, newest first',
    headers: ['X-Time-Zone'],
    example: { path: '/timeline?project=web&since=yesterday' },
    answers: { 200: 'One page.' },
    isPaged: true,
  },
  command: {
    name: 'timeline',
    summary: 'Show sessions, observations, packets and memories by day and project',
    usage: '',
    about:
      'Newest first. --kinds narrows it to some kinds, such as session,packet for the large picture. `ltm observations get N`, `ltm get ID` and `ltm show ID` show one of them.',
    flags: [...PERIOD_FLAGS, 'kinds'],
    maxWords: 0,
    examples: [
      'ltm timeline',
      'ltm timeline --project web --since yesterday',
      'ltm timeline --kinds session,packet,memory --limit 100',
    ],
  },
});
