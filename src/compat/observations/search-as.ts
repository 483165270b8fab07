import { ECOSYSTEM } from '../../features/sessions/verbs/export-observations.ts';
import { EngineError } from '../../model/errors.ts';
import { cleanName, cleanText } from '../../model/hidden-characters.ts';
import { dayOf } from '../../model/instant.ts';
import { markedSummary, toolOf } from './describe-observation.ts';
import { isMatch } from './is-match.ts';
import type { ObservationCall } from './observation-routes.ts';

const TYPES = ['observations', 'sessions', 'user', 'recent'];
const SUMMARY_CHARS = 120;

/** One search for all of them; `rank` is higher for what fits better. */
export async function searchAs(call: ObservationCall, limit: number): Promise<object> {
  const { engine, caller, query: asked } = call;
  const type = asked.get('type') ?? 'observations';
  if (!TYPES.includes(type)) throw new EngineError('invalid_input', `type must be one of ${TYPES.join(', ')}`);
  const project = cleanName(asked.get('project') ?? '') || undefined;
  const query = asked.get('q')?.trim() ?? '';
  if (type === 'recent' || (query === '' && type === 'observations')) {
    const { items } = await engine.listObservations(caller, { project, limit });
    return answer(items.map((one) => ({ ...describe(one, call), rank: 0 })));
  }
  const wanted = { query: query === '' ? undefined : query, limit, maxChars: 0 };
  if (type === 'observations') {
    const { hits } = await engine.search(caller, { ...wanted, filter: { kinds: ['observation'], project } });
    const found = hits.filter(isMatch);
    const { observations } = await engine.getObservations(
      caller,
      found.map(({ id }) => id),
    );
    const ranks = new Map(found.map(({ id, score }) => [id, score]));
    return answer(observations.map((one) => ({ ...describe(one, call), rank: ranks.get(one.id) ?? 0 })));
  }
  const filter =
    type === 'sessions' ? { kinds: ['session'], project } : { kinds: ['memory'], tags: [ECOSYSTEM], project };
  const { hits } = await engine.search(caller, { ...wanted, filter });
  return answer(
    hits.map(({ id, createdAt, title, snippet, score, trust }) => ({
      id,
      date: dayOf(createdAt),
      tool: type === 'sessions' ? 'session' : 'ecosystem',
      summary: cleanText(type === 'sessions' ? title : snippet).slice(0, SUMMARY_CHARS),
      files: [],
      rank: score,
      trust,
    })),
  );
}

type Listed = Parameters<typeof markedSummary>[0];

function describe(observation: Listed, call: ObservationCall): object {
  const { number, files, trust } = observation;
  const summary = markedSummary(observation, call);
  return { id: number, date: dayOf(observation.at), tool: toolOf(observation), summary, files, trust };
}

function answer(results: object[]): object {
  return { results, total: results.length };
}
