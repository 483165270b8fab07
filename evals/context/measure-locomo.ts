import type { Conversation } from '../../src/features/evaluation/read-conversations.ts';
import { observationId } from '../../src/features/sessions/observation-kind.ts';
import type { SessionEvent } from '../../src/model/session-event.ts';
import { listLast, type StoryTools } from './measure-stories.ts';

export interface AskedTurn {
  way: string;
  category: string;
  /** Share of the turns that answer it which the block holds. */
  share: number;
  tokens: number;
}

const DAY = 86_400_000;
const NO_HURRY = { timeoutMs: 10_000 };
const AT_ONCE = 200;

/** A conversation as sessions of prompts and replies; each question is the first prompt of a session after all of them. */
export async function measureLocomo(
  { name, items, questions }: Conversation,
  { engine, newCaller }: StoryTools,
): Promise<AskedTurn[]> {
  const caller = newCaller();
  const sessions = [...new Set(items.map(({ session }) => session))];
  const from = Date.now() - (sessions.length + 1) * DAY;
  const events = items.map((item, i): SessionEvent => {
    const at = from + sessions.indexOf(item.session) * DAY + i * 1000;
    const where = { agent: 'chat', session: `${name}-${item.session}`, project: name, directory: null };
    return { key: `${name}/${item.id}`, event: i % 2 === 0 ? 'prompt' : 'turn', at, ...where, text: item.text };
  });
  for (let i = 0; i < events.length; i += AT_ONCE) await engine.recordEvents(caller, events.slice(i, i + AT_ONCE));
  const asked: AskedTurn[] = [];
  const lasts = [
    {
      way: 'last 50 observations',
      ...(await listLast(engine, caller, { count: 50, maxTokens: Number.POSITIVE_INFINITY, project: name })),
    },
    {
      way: 'last observations in 500 tokens',
      ...(await listLast(engine, caller, { count: 1000, maxTokens: 500, project: name })),
    },
  ];
  for (const [i, { text: prompt, gold, category }] of questions.filter(({ gold }) => gold.length > 0).entries()) {
    const wanted = gold.map((id) => observationId(`${name}/${id}`));
    const note = (way: string, ids: readonly string[], tokens: number) =>
      asked.push({ way, category, share: wanted.filter((id) => ids.includes(id)).length / wanted.length, tokens });
    const { entries, tokens } = await engine.getContext(caller, {
      project: name,
      session: `q${i}`,
      event: 'prompt',
      prompt,
      preview: true,
      ...NO_HURRY,
    });
    note(
      'the block',
      entries.map(({ id }) => id),
      tokens,
    );
    for (const { way, ids, tokens: cost } of lasts) note(way, ids, cost);
  }
  return asked;
}
