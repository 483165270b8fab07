import type { ContextQuestion } from '../../../client/ask-server.ts';
import { lateFunctions } from '../../../model/late.ts';
import { type ConfigSources, loadConfig } from '../../../settings/config.ts';
import type { Environment } from '../../../settings/settings.ts';
import type { LocalSession } from '../../../verbs/local-session.ts';
import type { ContextRequest } from '../session-context.ts';
import { isSpoolFor } from './take-in.ts';

const { askSessionsServer } = lateFunctions(() => import('./ask-sessions-server.ts'), 'askSessionsServer');

/** What a session should know, for a hook that found no server: from the database of this machine, or the server that this person has signed in to. */
export async function answerHook(
  question: ContextQuestion,
  sources: ConfigSources & { env: Environment },
  open: (sources: ConfigSources) => Promise<LocalSession>,
): Promise<string | null> {
  const { prompt, ...rest } = question;
  const request: ContextRequest = { ...rest, ...(prompt !== null && { prompt }) };
  const config = loadConfig(sources);
  if (config.server !== null && !isSpoolFor('database', config)) {
    const server = await askSessionsServer(sources.env, config.server);
    return (await server.getContext(request)).context;
  }
  const { engine, callerNow } = await open(sources);
  return (await engine.getContext(await callerNow(), request)).context;
}
