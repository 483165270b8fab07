import type { ContextQuestion } from '../capture/ask-server.ts';
import type { ContextRequest } from '../model/session-context.ts';
import { loadConfig } from './config.ts';
import { openForCommand } from './local-session.ts';
import type { Environment } from './settings.ts';
import { isSpoolFor } from './take-in.ts';

/** What a session should know, for a hook that found no server: from the database of this machine, or the server that this person has signed in to. */
export async function answerHook(question: ContextQuestion, env: Environment): Promise<string | null> {
  const { prompt, ...rest } = question;
  const request: ContextRequest = { ...rest, ...(prompt !== null && { prompt }) };
  const config = loadConfig({ env });
  if (config.server !== null && !isSpoolFor('database', config)) {
    const [{ openRemoteClient }, { VERBS }] = await Promise.all([
      import('./open-remote-client.ts'),
      import('../features/verb-table.ts'),
    ]);
    return (await openRemoteClient(VERBS, { env, server: config.server }).getContext(request)).context;
  }
  const { engine, callerNow } = await openForCommand({ env });
  return (await engine.getContext(await callerNow(), request)).context;
}
