import { label, time } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import { ECOSYSTEM } from './export-observations.ts';

export interface Observed {
  sessions: number;
  observations: number;
  /** Memories that were made of files which agents read as instructions. */
  userObservations: number;
  concepts: number;
}

export const countObserved = defineVerb<{ project?: string; since?: string }, Observed>({
  needs: 'read',
  input: { project: label('Only this project.'), since: time('From this time on.') },
  async run({ engine, caller }, { project, since }) {
    const scope = { project, since, limit: 1 };
    const [sessions, observations, files, concepts] = await Promise.all([
      engine.listSessions(caller, scope),
      engine.listObservations(caller, scope),
      engine.listMemories(caller, { filter: { tags: [ECOSYSTEM], project }, after: since, page: { limit: 1 } }),
      engine.countConcepts(caller),
    ]);
    return {
      sessions: sessions.total,
      observations: observations.total,
      userObservations: files.total,
      concepts: concepts.length,
    };
  },
  rest: {
    at: 'GET /observations/stats',
    summary: 'How many sessions, observations and concepts there are',
    headers: ['X-Time-Zone'],
    answers: { 200: 'Counts.' },
  },
});
