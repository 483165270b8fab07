import { ANSWERS } from '../features/answers.ts';
import { VERBS } from '../features/verb-table.ts';
import type { VerbTable } from '../verbs/verb.ts';
import type { Answers } from './answer-fields.ts';
import { followEvents } from './follow-events.ts';
import { API_PATH } from './rest-env.ts';
import type { Route } from './route.ts';
import { routesOf } from './verb-routes.ts';

/** The routes of these verbs, with the stream of events after what else tells of the state. */
export function routesOfTable(verbs: VerbTable, answers: Answers = ANSWERS): readonly Route[] {
  const routes = Object.entries(verbs).flatMap((entry) => routesOf(entry, answers));
  return routes.toSpliced(routes.findLastIndex(({ group }) => group === 'State') + 1, 0, followEvents);
}

/** The whole API, in the order it is documented. */
export const ROUTES: readonly Route[] = routesOfTable(VERBS);

/** Whether a request to an address of the server changes anything, as the routes say it; what they do not know changes nothing. */
export function writingOf(routes: readonly Route[]): (method: string, path: string) => boolean {
  const writing = routes
    .filter(({ writes }) => writes === true)
    .map(({ method, path }) => ({
      method,
      pattern: new RegExp(`^${API_PATH}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
  return (method, path) => writing.some((route) => route.method === method && route.pattern.test(path));
}
