import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { locate } from '../../engine/records/find-records.ts';
import { screenOutgoing } from '../../engine/records/screen-outgoing.ts';
import type { Caller } from '../../model/caller.ts';
import type { SpaceId } from '../../model/ids.ts';
import { dayOf } from '../../model/instant.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Usage } from '../../model/usage.ts';
import type { Memory } from '../memories/memory.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { addSpend, countCalls } from '../summaries/spend-ledger.ts';
import type { QualityEvent } from './quality.ts';
import { addQualityEvent } from './rate-memory.ts';
import { usageScore } from './score-quality.ts';

export interface Evaluation {
  memory: Memory;
  previous: number;
  quality: number;
  /** The model that was asked; `usage` where reads alone were looked at. */
  by: string;
  /** Why no model was asked, or why its answer did not count. */
  notice: string | null;
  usage: Usage & { score: number };
  /** What the model said. */
  score: number | null;
}

/** Asked before anything is committed: nobody waits for a model while a lock is held. */
export async function evaluateQuality(parts: EngineParts, caller: Caller, ref: string): Promise<Evaluation> {
  const record = await locate(parts, caller, { kind: memoryKind.name, ref, action: 'write', deleted: 'exclude' });
  const { space, id } = record;
  const statistics = await parts.store.readStatistics(space, [id]);
  const { reads, lastReadAt } = statistics.get(id) ?? { reads: 0, lastReadAt: null };
  const asked = await askModel(parts, record);
  const usage = { reads, lastReadAt };
  const event = (at: number): QualityEvent =>
    asked.score === null
      ? { how: 'used', ...usage, at }
      : { how: 'scored', value: asked.score, model: asked.by, ...usage, at };
  const rated = await addQualityEvent(parts, caller, { ref: id, event, reason: `evaluated by ${asked.by}` });
  return { ...rated, ...asked, usage: { ...usage, score: usageScore(usage, parts.clock.now()) } };
}

type Asked = Pick<Evaluation, 'by' | 'notice' | 'score'>;

function byUsage(notice: string | null): Asked {
  return { by: 'usage', notice, score: null };
}

/** Where the operator lets a model judge what memories are worth. */
export async function askModel(parts: EngineParts, { space, content }: StoredRecord): Promise<Asked> {
  if (!parts.settings.qualityScorer) return byUsage(null);
  if (parts.summarizer?.score === undefined) return byUsage('quality_scorer is on, but no summarizer is set.');
  return scoreText(parts, space, content);
}

export interface ScoredTexts {
  scores: (number | null)[];
  /** The model; null: there is none. */
  by: string | null;
  notices: string[];
}

/** What a model thinks of texts that are not stored; null for each that it was not asked about, or gave no answer to. */
export async function scoreTexts(parts: EngineParts, caller: Caller, texts: readonly string[]): Promise<ScoredTexts> {
  authorize(caller, 'write', caller.space);
  if (parts.summarizer?.score === undefined)
    return {
      scores: texts.map(() => null),
      by: null,
      notices: ['No model is set: summarizer_url and summarizer_model name one.'],
    };
  const asked: Asked[] = [];
  for (const text of texts) asked.push(await scoreText(parts, caller.space, text));
  return {
    scores: asked.map(({ score }) => score),
    by: parts.summarizer.id,
    notices: [...new Set(asked.flatMap(({ notice }) => notice ?? []))],
  };
}

/** Within the budget of summaries, and written down before the first call: whatever happens, no more is spent than the ledger says. */
async function scoreText(parts: EngineParts, space: SpaceId, content: string): Promise<Asked> {
  const { settings, summarizer, clock } = parts;
  if (summarizer?.score === undefined) return byUsage('No summarizer is set.');
  const text = screenOutgoing(content, settings);
  if (text === null) return byUsage('The text holds what may not leave the machine.');
  if (summarizer.free === 0) return byUsage('The model may not be asked right now.');
  const { maxCalls } = summarizer;
  const limit = settings.summarizerDailyCalls;
  if (limit > 0 && (await countCalls(parts, space)) + maxCalls > limit)
    return byUsage(`The daily budget of ${limit} calls is used up (summarizer_daily_calls).`);
  const account = { day: dayOf(clock.now()), model: summarizer.id };
  if (!(await addSpend(parts, space, { ...account, added: { calls: maxCalls } })))
    return byUsage('Somebody else is spending at this moment.');
  const done = await summarizer.score(text);
  const { calls, ...tokens } = done.spent;
  const failed = done.outcome === 'scored' ? 0 : 1;
  await addSpend(parts, space, { ...account, added: { ...tokens, calls: calls - maxCalls, failed } });
  if (done.outcome !== 'scored') return byUsage(done.reason);
  return { by: summarizer.id, notice: null, score: done.score };
}
