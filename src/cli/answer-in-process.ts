import type { ContextQuestion } from '../client/ask-server.ts';
import { ANSWERING } from '../features/early.ts';
import { DECLARED_SETTINGS as declared } from '../features/settings.ts';
import { openForCommand } from '../server/local-session.ts';
import type { Environment } from '../settings/settings.ts';

/** For a hook that found no server. */
export async function answerHook(question: ContextQuestion, env: Environment): Promise<string | null> {
  for (const answer of await Promise.all(ANSWERING.map((load) => load()))) {
    const told = await answer(question, { env, declared }, openForCommand);
    if (told !== null) return told;
  }
  return null;
}
