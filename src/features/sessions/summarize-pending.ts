import { authorize } from '../../engine/authorize.ts';
import type { EngineParts, JobDone, JobWork } from '../../engine/engine-parts.ts';
import type { EngineSettings } from '../../engine/engine-settings.ts';
import type { Clock, Records } from '../../engine/ports.ts';
import { createSearchableMaker } from '../../engine/records/make-searchable.ts';
import { contentOf } from '../../engine/records/record-changes.ts';
import { screenOutgoing } from '../../engine/records/screen-outgoing.ts';
import type { Tally } from '../../engine/tally.ts';
import type { Caller } from '../../model/caller.ts';
import type { PutChange } from '../../model/change.ts';
import { cutText } from '../../model/cut-text.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import { dayOf } from '../../model/instant.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import { redactTexts } from '../../privacy/redact-texts.ts';
import { addSpend, countCalls, LEDGER_ACTOR, planSpend } from '../summaries/spend-ledger.ts';
import type { Summarizer, Summary, ToSummarize } from '../summaries/summarizer-port.ts';
import { toObservation } from './observation.ts';
import { observationKind } from './observation-kind.ts';

/** What is older keeps the summary that rules made. */
const WINDOW_MS = 7 * 86_400_000;
const PAGE = 200;
/** An observation that so many rounds brought nothing for is left as it is. */
const MAX_ROUNDS = 3;
const TITLE_CHARS = 80;
const SUMMARIZER_PROBLEM = 'summarizing';

const DAY = 86_400_000;

/** Gives observations that have only what rules made a summary by a model, the latest first, as far as rate and budget reach. */
export async function summarizePending(parts: EngineParts, { space, goOn }: JobWork): Promise<JobDone> {
  const { summarizer = null, tally } = parts;
  if (summarizer === null) return { count: 0, complete: true, dueAt: null };
  let summarized = 0;
  for await (const record of listPending(parts, space)) {
    if (summarizer.free === 0 || !(await goOn())) return { count: summarized, complete: false, dueAt: null };
    const outcome = await summarizeOne(parts, summarizer, { space, record });
    if (outcome === 'used_up')
      return { count: summarized, complete: true, dueAt: (Math.floor(parts.clock.now() / DAY) + 1) * DAY };
    if (outcome === 'down') return { count: summarized, complete: false, dueAt: null };
    if (outcome === 'summarized') summarized++;
  }
  tally.problems.delete(SUMMARIZER_PROBLEM);
  tally.problems.delete(`${SUMMARIZER_PROBLEM}:${space}`);
  return { count: summarized, complete: true, dueAt: null };
}

interface Counted {
  head: number;
  at: Instant;
  count: number;
}

const COUNTED_MS = 60_000;
const counts = new WeakMap<EngineParts, Map<SpaceId, Counted>>();

/** In the caller's own space. Programs ask for it again and again: it is counted anew when something was written, or has grown too old. */
export async function countUnsummarized(parts: EngineParts, caller: Caller): Promise<number> {
  const { space } = caller;
  authorize(caller, 'read', space);
  const known = counts.get(parts) ?? new Map<SpaceId, Counted>();
  counts.set(parts, known);
  const [head, at] = [await parts.store.head(space), parts.clock.now()];
  const last = known.get(space);
  if (last !== undefined && last.head === head && Math.abs(at - last.at) < COUNTED_MS) return last.count;
  let count = 0;
  for await (const _record of listPending(parts, space)) count++;
  known.set(space, { head, at, count });
  return count;
}

async function* listPending(
  { store, clock }: { store: Records; clock: Clock },
  space: SpaceId,
): AsyncGenerator<StoredRecord> {
  const filter = { kinds: [observationKind.name], after: clock.now() - WINDOW_MS };
  let cursor: string | null = null;
  do {
    const page = await store.listRecords(space, filter, { limit: PAGE, cursor, total: false }, () => {});
    yield* page.items.filter(isPending);
    cursor = page.cursor;
  } while (cursor !== null);
}

/** What a tool did; what was merely looked at, or said, tells enough by itself. */
function isPending({ body }: StoredRecord): boolean {
  return typeof body.tool === 'string' && body.act !== 'look' && body.summarized === undefined;
}

type Outcome = 'summarized' | 'left' | 'down' | 'used_up';

async function summarizeOne(
  parts: EngineParts,
  summarizer: Summarizer,
  { space, record }: { space: SpaceId; record: StoredRecord },
): Promise<Outcome> {
  const text = screen(record, parts.settings);
  if (text === null) return mark(parts, space, { record, how: 'quarantined' });
  const { settings, tally, clock } = parts;
  const { maxCalls } = summarizer;
  const account = { day: dayOf(clock.now()), model: summarizer.id };
  const limit = settings.summarizerDailyCalls;
  if (limit > 0 && (await countCalls(parts, space)) + maxCalls > limit) return noteUsedUp(parts, space, limit);
  // Set aside before the first call: whatever happens to this process, no more is spent than is written down.
  if (!(await addSpend(parts, space, { ...account, added: { calls: maxCalls } }))) return 'down';
  const done = await summarizer.summarize(text);
  const { calls, ...tokens } = done.spent;
  const added = { ...tokens, calls: calls - maxCalls, [done.outcome === 'summarized' ? 'summarized' : 'failed']: 1 };
  const spend = await planSpend(parts, space, { ...account, added });
  const change =
    done.outcome === 'summarized'
      ? await planSummary(parts, { record, summary: done.summary, by: summarizer.id })
      : null;
  const committed = await parts.store.commit(space, change === null ? [spend] : [spend, change], LEDGER_ACTOR);
  if (done.outcome === 'failed') {
    const message = 'The summarizer does not answer; observations keep the summaries that rules made.';
    tally.problems.set(SUMMARIZER_PROBLEM, { space: null, message, cause: done.reason });
    return 'down';
  }
  tally.problems.delete(SUMMARIZER_PROBLEM);
  if (done.outcome === 'summarized') return committed.outcome === 'committed' ? 'summarized' : 'left';
  return giveUpLater(parts, space, record);
}

/** Screened once more, whatever was done before: this text leaves the machine. Null: it holds what no screening may let pass. */
function screen(record: StoredRecord, settings: EngineSettings): ToSummarize | null {
  const { tool, input, output } = toObservation(record);
  const [given, gave] = [screenOutgoing(input, settings), screenOutgoing(output, settings)];
  return given === null || gave === null ? null : { tool: tool ?? '', input: given, output: gave };
}

function noteUsedUp({ tally }: { tally: Tally }, space: SpaceId, limit: number): Outcome {
  const message = `The daily budget of ${limit} calls for summaries is used up; it begins anew at midnight UTC (summarizer_daily_calls).`;
  tally.problems.set(`${SUMMARIZER_PROBLEM}:${space}`, { space, message });
  return 'used_up';
}

const rounds = new WeakMap<EngineParts, Map<RecordId, number>>();

/** The model answers, but not with a summary: after some rounds it is not asked for this one any more. */
async function giveUpLater(parts: EngineParts, space: SpaceId, record: StoredRecord): Promise<Outcome> {
  const tried = rounds.get(parts) ?? new Map<RecordId, number>();
  rounds.set(parts, tried);
  const times = (tried.get(record.id) ?? 0) + 1;
  tried.set(record.id, times);
  if (times < MAX_ROUNDS) return 'left';
  tried.delete(record.id);
  return mark(parts, space, { record, how: 'failed' });
}

async function mark(
  parts: EngineParts,
  space: SpaceId,
  { record, how }: { record: StoredRecord; how: string },
): Promise<Outcome> {
  const content = { ...contentOf(record), body: { ...record.body, summarized: { outcome: how } } };
  await parts.store.commit(space, [await putDerived(parts, record, content)], LEDGER_ACTOR);
  return 'left';
}

/** Trust and origin stay: a summary is believed no more than what it was made of. Files that are not in the text are the model's invention. */
async function planSummary(
  parts: EngineParts,
  { record, summary: { summary, type, files, concepts }, by }: { record: StoredRecord; summary: Summary; by: string },
): Promise<PutChange> {
  const { input, output, files: known } = toObservation(record);
  const named = files.filter((file) => `${input}\n${output}`.includes(file));
  const safe = redactTexts({ summary, concepts }, '').value;
  const content: RecordContent = {
    ...contentOf(record),
    type,
    title: cutText(safe.summary, TITLE_CHARS),
    updatedAt: parts.clock.now(),
    body: {
      ...record.body,
      summary: safe.summary,
      concepts: safe.concepts,
      files: [...new Set([...known, ...named])],
      summarized: { outcome: 'summarized', by, at: parts.clock.now() },
    },
  };
  return putDerived(parts, record, content);
}

async function putDerived(parts: EngineParts, record: StoredRecord, drafted: RecordContent): Promise<PutChange> {
  const content = observationKind.derive(drafted);
  const [made] = await createSearchableMaker(parts)([content]);
  const { passages, vectors } = made!;
  return {
    op: 'put',
    id: record.id,
    content,
    passages,
    vectors,
    expect: record.revision,
    unlessDuplicate: false,
    isDerived: true,
  };
}
