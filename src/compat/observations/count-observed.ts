import { ECOSYSTEM } from '../../verbs/sessions/export-observations.ts';
import type { VerbContext } from '../../verbs/verb.ts';

export interface Observed {
  sessions: number;
  observations: number;
  userObservations: number;
  concepts: number;
}

export async function countObserved(
  { engine, caller }: Pick<VerbContext, 'engine' | 'caller'>,
  { project, since }: { project?: string; since?: string } = {},
): Promise<Observed> {
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
}
