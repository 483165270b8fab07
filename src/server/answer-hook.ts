// Run in a thread by a hook that found no server: the time is kept by the other thread, which goes on whatever happens here.
import { parentPort, workerData } from 'node:worker_threads';
import type { ContextQuestion } from '../capture/ask-server.ts';
import type { ContextRequest, SessionContext } from '../model/session-context.ts';
import { loadConfig } from './config.ts';
import { openForCommand } from './local-session.ts';
import type { Environment } from './settings.ts';
import { isSpoolFor } from './take-in.ts';

interface Asked {
  question: ContextQuestion;
  env: Environment;
}

async function answer({ question, env }: Asked): Promise<SessionContext> {
  const { project, prompt, session, event } = question;
  const request: ContextRequest = { project, session, event, ...(prompt !== null && { prompt }) };
  const config = loadConfig({ env });
  if (config.server !== null && !isSpoolFor('database', config)) {
    const [{ openRemoteClient }, { VERBS }] = await Promise.all([
      import('./open-remote-client.ts'),
      import('../verbs/verb-table.ts'),
    ]);
    return openRemoteClient(VERBS, { env, server: config.server }).getContext(request);
  }
  const { engine, callerNow } = await openForCommand({ env });
  return engine.getContext(await callerNow(), request);
}

answer(workerData as Asked).then(
  ({ context }) => parentPort?.postMessage(context),
  () => parentPort?.postMessage(null), // a hook answers nothing, then
);
