import { setImmediate as nextTurn } from 'node:timers/promises';
import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { invalid } from '../../engine/records/check-text.ts';
import { createSearchableMaker } from '../../engine/records/make-searchable.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { askModel } from '../quality/evaluate-quality.ts';
import { titleOf } from '../quality/explain-quality.ts';
import { type Judged, judgeRecords } from '../quality/gather-facts.ts';
import { readQualityFacts } from '../quality/score-quality.ts';
import {
  type ConsolidationReport,
  type ConsolidationStep,
  FORGET_MODES,
  type ForgetMode,
  HORIZONS,
  type Horizon,
} from './consolidation.ts';
import { findClusters, keepTelling, listSummarised, type Neighbourhood, readNeighbourhood } from './find-clusters.ts';
import { DUPLICATE_FROM, describeDuplicates, findDuplicates } from './find-duplicates.ts';
import { HORIZON_PLANS, periodOf } from './horizons.ts';
import { findForgetReason } from './judge-forgetting.ts';
import { type AssociationWork, planAssociations } from './plan-associations.ts';
import { planArchive, planSummary, planUsage } from './plan-changes.ts';
import { openRun, type RunJournal } from './run-journal.ts';
import { changeRunState, readRunState } from './run-state.ts';

export interface ConsolidateInput {
  horizon: Horizon;
  dryRun?: boolean;
  /** Instead of those of the horizon. */
  steps?: readonly ConsolidationStep[];
  /** Instead of what the setting says. */
  forget?: ForgetMode;
  /** Memories to look at; the next run goes on behind them. */
  limit?: number;
}

const DEFAULT_LIMIT = 10_000;
const MOST_LIMIT = 100_000;
/** Read and judged at once: so much memory, and no more, however many there are. */
const BATCH = 250;
const SHOWN = 20;
/** Calls of a model in one run. */
const MOST_ASKED = 100;
/** Looking for relations is a search for each memory: so many a run. */
const MOST_ASSOCIATED = 200;
const ASSOCIATED_AT_ONCE = 50;

/** One run over the memories of a horizon in the caller's space. Nothing is done by a dry run. */
export async function consolidate(
  parts: EngineParts,
  caller: Caller,
  input: ConsolidateInput,
): Promise<ConsolidationReport> {
  authorize(caller, input.dryRun === true ? 'read' : 'write', caller.space);
  const { horizon, forget, limit = DEFAULT_LIMIT } = input;
  if (!HORIZONS.includes(horizon)) throw invalid('horizon', `must be one of ${HORIZONS.join(', ')}`);
  if (forget !== undefined && !FORGET_MODES.includes(forget))
    throw invalid('forget', `must be one of ${FORGET_MODES.join(', ')}`);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MOST_LIMIT))
    throw invalid('limit', `must be from 1 to ${MOST_LIMIT}`);
  return runConsolidation(parts, { ...input, limit, space: caller.space, caller, goOn: async () => true });
}

export interface RunRequest extends ConsolidateInput {
  space: SpaceId;
  caller: Caller | null;
  /** Asked between batches; false ends the run, and the next one goes on from there. */
  goOn: () => Promise<boolean>;
}

/** What a run carries from batch to batch: ids and numbers, never texts. */
interface Work {
  parts: EngineParts;
  space: SpaceId;
  journal: RunJournal | null;
  steps: readonly ConsolidationStep[];
  forget: ForgetMode;
  report: ConsolidationReport;
  relevances: number;
  /** How often a model was asked. */
  asked: number;
  /** Memories for which relations were looked for, and pairs that were proposed. */
  associated: number;
  pairs: Set<string>;
  summarised: Set<RecordId>;
  duplicates: Set<RecordId>;
  /** Compared with all their neighbours. */
  compared: Set<RecordId>;
  terms: Map<RecordId, readonly string[]>;
}

export async function runConsolidation(parts: EngineParts, request: RunRequest): Promise<ConsolidationReport> {
  const { space, caller, horizon, dryRun = false, limit = DEFAULT_LIMIT, goOn } = request;
  const { store, clock } = parts;
  const journal = dryRun ? null : await openRun(parts, { space, caller, purpose: horizon });
  const work: Work = {
    parts,
    space,
    journal,
    relevances: 0,
    asked: 0,
    associated: 0,
    pairs: new Set(),
    summarised: new Set(),
    duplicates: new Set(),
    compared: new Set(),
    terms: new Map(),
    steps: request.steps ?? HORIZON_PLANS[horizon].steps,
    forget: request.forget ?? parts.settings.consolidationForget,
    report: emptyReport(horizon, { run: journal?.id ?? null, at: clock.now() }),
  };
  const { report } = work;
  const filter = { kinds: [memoryKind.name], ...periodOf(horizon, clock.now()), validAt: clock.now() };
  const hasPlace = horizon !== 'daily';
  let cursor = hasPlace ? ((await readRunState(parts, space)).cursors[horizon] ?? null) : null;
  for (;;) {
    const page = { limit: Math.min(BATCH, limit - report.examined), cursor, total: false };
    const { items, cursor: next } = await store.listRecords(space, filter, page, passOver);
    report.examined += items.length;
    await workOn(work, items);
    cursor = next;
    if (cursor === null || report.examined >= limit) break;
    if (!(await goOn())) break;
    await nextTurn();
  }
  report.isComplete = cursor === null;
  report.finishedAt = clock.now();
  report.decay.averageRelevance = report.decay.measured === 0 ? null : work.relevances / report.decay.measured;
  if (journal !== null) {
    await journal.finish(cursor === null || report.examined >= limit ? 'done' : 'interrupted', report);
    await changeRunState(parts, space, (state) => ({
      ...state,
      last: { ...state.last, [horizon]: report.startedAt },
      cursors: { ...state.cursors, [horizon]: hasPlace && cursor !== null ? cursor : undefined },
    }));
  }
  return report;
}

function emptyReport(horizon: Horizon, { run, at }: { run: RecordId | null; at: number }): ConsolidationReport {
  return {
    run,
    horizon,
    dryRun: run === null,
    startedAt: at,
    finishedAt: at,
    examined: 0,
    isComplete: true,
    decay: { measured: 0, changed: 0, averageRelevance: null, lowest: [] },
    duplicates: { groups: 0, memories: 0, found: [] },
    summaries: { clusters: 0, made: [] },
    associations: { proposed: 0, pairs: [] },
    forgetting: { archived: 0, spared: 0, reasons: {}, memories: [] },
    notices: [],
  };
}

async function workOn(work: Work, records: readonly StoredRecord[]): Promise<void> {
  const { parts, space, steps, report } = work;
  if (records.length === 0) return;
  const gone = new Set<RecordId>();
  const judged = await judgeRecords(parts, space, records);
  if (steps.includes('forgetting')) for (const id of await forgetSome(work, judged)) gone.add(id);
  const staying = judged.filter(({ record }) => !gone.has(record.id));
  const near = staying.map(({ record }) => record);
  if (steps.includes('summaries') || steps.includes('duplicates')) {
    const wanted = { duplicates: steps.includes('duplicates'), clusters: steps.includes('summaries') };
    const hood = await readNeighbourhood(parts, space, { records: near, ...wanted });
    if (hood === null) noteOnce(report, 'There is no embedder: neither summaries nor near duplicates are looked for.');
    else {
      if (wanted.duplicates) await lookForDuplicates(work, near, hood);
      if (wanted.clusters) await summariseSome(work, near, hood);
    }
  }
  if (steps.includes('associations')) await associateSome(work, near);
  if (steps.includes('decay')) await settleSome(work, staying);
}

function noteOnce({ notices }: ConsolidationReport, notice: string): void {
  if (!notices.includes(notice)) notices.push(notice);
}

async function settleSome(work: Work, judged: readonly Judged[]): Promise<void> {
  const { parts, journal, report } = work;
  const now = parts.clock.now();
  const { decay } = report;
  for (const { record, relevance } of judged) {
    decay.measured++;
    work.relevances += relevance.value;
    const lowest = decay.lowest.at(-1);
    if (decay.lowest.length < SHOWN || relevance.value < (lowest?.relevance ?? 0)) {
      decay.lowest.push({ id: record.id, title: titleOf(record), relevance: relevance.value });
      decay.lowest.sort((a, b) => a.relevance - b.relevance);
      decay.lowest.length = Math.min(decay.lowest.length, SHOWN);
    }
  }
  const scores = journal === null ? new Map() : await askForScores(work, judged);
  const works = judged.flatMap((each) => planUsage(parts, each, { at: now, scored: scores.get(each.record.id) }) ?? []);
  decay.changed += journal === null ? works.length : (await journal.write(works, 'quality')).length;
}

/** Of those that no model has judged, as far as the budget and this run's share reach. Nothing is locked meanwhile, and a dry run asks nobody. */
async function askForScores(
  work: Work,
  judged: readonly Judged[],
): Promise<Map<RecordId, { value: number; model: string }>> {
  const { parts, report } = work;
  const scores = new Map<RecordId, { value: number; model: string }>();
  if (!parts.settings.qualityScorer || parts.summarizer?.score === undefined) return scores;
  for (const { record } of judged) {
    if (work.asked >= MOST_ASKED) break;
    if (readQualityFacts(record).events.some(({ how }) => how === 'scored')) continue;
    work.asked++;
    const { score, by, notice } = await askModel(parts, record);
    if (score !== null) scores.set(record.id, { value: score, model: by });
    else if (notice !== null) {
      noteOnce(report, notice);
      work.asked = MOST_ASKED;
    }
  }
  return scores;
}

async function lookForDuplicates(
  { parts, duplicates, compared, report }: Work,
  records: readonly StoredRecord[],
  hood: Neighbourhood,
): Promise<void> {
  const found = await findDuplicates(parts, records, {
    hood,
    taken: duplicates,
    seen: compared,
    threshold: DUPLICATE_FROM,
  });
  report.duplicates.groups += found.length;
  report.duplicates.memories += found.reduce((sum, { others }) => sum + others.length, 0);
  report.duplicates.found.push(...found.slice(0, SHOWN - report.duplicates.found.length).map(describeDuplicates));
}

async function summariseSome(work: Work, records: readonly StoredRecord[], hood: Neighbourhood): Promise<void> {
  const { parts, space, journal, report, summarised } = work;
  const seen = [...hood.records.keys()].filter((id) => !summarised.has(id));
  for (const id of await listSummarised(parts, space, seen)) summarised.add(id);
  const found = findClusters(records, hood, summarised);
  const clusters = await keepTelling(parts, { space, clusters: found, taken: summarised, terms: work.terms });
  const make = createSearchableMaker(parts);
  const works = [];
  for (const cluster of clusters) {
    works.push(await planSummary(parts, cluster, make));
    await nextTurn();
  }
  const done = journal === null ? works : await journal.write(works, 'summaries');
  report.summaries.clusters += done.length;
  for (const { id, content, sources } of done.slice(0, SHOWN - report.summaries.made.length))
    report.summaries.made.push({ id, title: titleOf({ content }), sources });
}

/** Pairs between which anything is known, be it that somebody has rejected them, are not proposed again. */
async function associateSome(work: Work, records: readonly StoredRecord[]): Promise<void> {
  const { parts, space, journal, report } = work;
  const { associations } = report;
  const some = records.slice(0, MOST_ASSOCIATED - work.associated);
  if (some.length === 0) return;
  work.associated += some.length;
  const works: AssociationWork[] = [];
  for (let i = 0; i < some.length; i += ASSOCIATED_AT_ONCE) {
    const next = some.slice(i, i + ASSOCIATED_AT_ONCE);
    works.push(...(await planAssociations(parts, { space, records: next, known: work.pairs })));
    await nextTurn();
  }
  const done = journal === null ? works : await journal.write(works, 'associations');
  associations.proposed += done.length;
  for (const { pair } of done.slice(0, SHOWN - associations.pairs.length)) associations.pairs.push(pair);
}

/** Those that go, or would go. */
async function forgetSome({ parts, journal, report, forget }: Work, judged: readonly Judged[]): Promise<RecordId[]> {
  const now = parts.clock.now();
  const { forgetting } = report;
  const works = judged.flatMap((each) => {
    const { record, relevance } = each;
    const reason = findForgetReason(each, forget, now);
    if (reason === null) return [];
    if (relevance.isProtected) {
      forgetting.spared++;
      return [];
    }
    const named = { id: record.id, title: titleOf(record), reason };
    return [{ ...planArchive(parts, record, { run: journal?.id ?? '', reason, at: now }), named }];
  });
  const done = journal === null ? works : await journal.write(works, 'archived');
  forgetting.archived += done.length;
  for (const { named } of done) {
    forgetting.reasons[named.reason] = (forgetting.reasons[named.reason] ?? 0) + 1;
    if (forgetting.memories.length < SHOWN) forgetting.memories.push(named);
  }
  return done.map(({ named }) => named.id);
}
