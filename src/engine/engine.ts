import type { Caller } from '../model/caller.ts';
import type { FeedEntry } from '../model/change.ts';
import { EngineError } from '../model/errors.ts';
import type { Label } from '../model/filter.ts';
import { lateFunctions } from '../model/late.ts';
import type { EmbedderId } from '../model/passage.ts';
import type { SearchQuery, SearchResult } from '../model/search.ts';
import { createRecentWrites } from '../search/index/recent-writes.ts';
import { createSpaceIndexes } from '../search/space-indexes.ts';
import { authorize } from './authorize.ts';
import { type EmbeddedTexts, embedTexts } from './embed-texts.ts';
import type { EngineParts, EnginePorts, FindOutdated, Job, RemovingByKind, Restoring } from './engine-parts.ts';
import type { EngineSettings } from './engine-settings.ts';
import {
  type FollowedPage,
  type FollowOptions,
  followChanges,
  type ListChangesInput,
  listChanges,
} from './follow-changes.ts';
import { keepStates } from './keep-states.ts';
import { createTimeKeeper } from './maintenance/believed-time.ts';
import type { Health } from './maintenance/check-health.ts';
import type { StoredBy } from './maintenance/finish-removals.ts';
import { pruneFeed } from './maintenance/prune-feed.ts';
import type { PurgedExpired, PurgeExpiredInput } from './maintenance/purge-expired.ts';
import type { UpkeepOptions, UpkeepReport } from './maintenance/run-upkeep.ts';
import { createSpaceVisits } from './maintenance/space-visits.ts';
import { type Kind, type KindTable, makeKindTable } from './records/kind.ts';
import { countLabels } from './records/list-records.ts';
import { createRecordVerbs, type RecordVerbs } from './records/record-verbs.ts';
import { type Filters, resolveQuery } from './records/resolve-filter.ts';
import { type WhatFollows, withWhatFollows } from './records/what-follows.ts';
import { guardCommits } from './rejections/guard-commits.ts';
import { rejectionKind } from './rejections/rejection-kind.ts';
import { createAllRejections } from './rejections/space-rejections.ts';
import { withWholeEntries } from './searches/derive-passages.ts';
import { noteCommits } from './searches/note-commits.ts';
import { createSearch } from './searches/search.ts';
import type { Search } from './searches/search-parts.ts';
import { createTally, type Tally } from './tally.ts';

export type { EnginePorts } from './engine-parts.ts';
export type { EngineSettings } from './engine-settings.ts';
export type { Health } from './maintenance/check-health.ts';
export type { StoredBy } from './maintenance/finish-removals.ts';
export type { UpkeepReport } from './maintenance/run-upkeep.ts';

const { searchAsOf } = lateFunctions(() => import('./past/search-as-of.ts'), 'searchAsOf');
const { dropVectors } = lateFunctions(() => import('./maintenance/embed-pending.ts'), 'dropVectors');
const { checkHealth } = lateFunctions(() => import('./maintenance/check-health.ts'), 'checkHealth');
const { purgeExpiredNow } = lateFunctions(() => import('./maintenance/purge-expired.ts'), 'purgeExpiredNow');
const { countStoredBy, finishRemovals } = lateFunctions(
  () => import('./maintenance/finish-removals.ts'),
  'countStoredBy',
  'finishRemovals',
);
const { runUpkeep } = lateFunctions(() => import('./maintenance/run-upkeep.ts'), 'runUpkeep');

/** What records of every kind need, whatever features there are. */
interface CoreFunctions extends RecordVerbs {
  /** The kinds of records that there are. */
  readonly kinds: KindTable;
  search(caller: Caller, query: SearchQuery): Promise<SearchResult>;
  /** Removes the vectors of embedders that are not in use; needs the admin scope. Returns how many. */
  dropVectors(caller: Caller, embedders: readonly EmbedderId[]): Promise<number>;
  countLabels(caller: Caller, label: Label): Promise<{ value: string; count: number }[]>;
  checkHealth(caller: Caller): Promise<Health>;
  /** What is written in the caller's spaces from now on, or from a position on, whichever process writes it. */
  followChanges(caller: Caller, options: FollowOptions): AsyncGenerator<FollowedPage>;
  /** The change feed of the caller's space, in order; needs the admin scope. */
  listChanges(caller: Caller, input: ListChangesInput): Promise<FeedEntry[]>;
  /** Vectors of texts, by the embedder in use. */
  embedTexts(caller: Caller, texts: readonly string[]): Promise<EmbeddedTexts>;
  /** What was deleted longer ago than it is kept, by the clock as it stands; needs the admin scope. */
  purgeExpired(caller: Caller, input: PurgeExpiredInput): Promise<PurgedExpired>;
  /** Goes on with what removed teams and people have left to do; costs next to nothing where that is nothing. */
  finishRemovals(): Promise<void>;
  /** How much a person has stored in their own space and in teams; needs the admin scope. */
  countStoredBy(caller: Caller, userId: string): Promise<StoredBy>;
  /** Throws not_found for a team that does not exist or that the caller is not in. */
  enterTeam(caller: Caller, team: string): Promise<Caller>;
  /** Where this server is reached, without a slash at the end; null where nobody has said. */
  publicUrl(): string | null;
  /** One round of background work: flush and merge the index, embed what is pending, purge what is past its time. */
  runUpkeep(signal?: AbortSignal, options?: UpkeepOptions): Promise<UpkeepReport>;
  /** What is called from now on where so much has been stored that the next round should not wait. */
  whenWorkIsLeft(call: () => void): void;
  close(): Promise<void>;
}

/** Everything the product can do. Each feature joins its own functions to it, in its `feature.ts`. */
export interface Engine extends CoreFunctions {}

/** Functions that a feature has over the core, by their names in the engine. */
export type Api = Readonly<Record<string, (core: EngineParts) => unknown>>;

/** The functions as the engine has them. */
export type ApiOf<Given extends Api> = { readonly [Name in keyof Given]: ReturnType<Given[Name]> };

/** The ports that can be closed. */
export type ClosedPort = {
  [Name in keyof EnginePorts]-?: NonNullable<EnginePorts[Name]> extends { close(): Promise<void> } ? Name : never;
}[keyof EnginePorts];

/** What a feature brings to the engine. */
export interface EngineFeature {
  readonly name: string;
  readonly kinds?: readonly Kind[];
  readonly api?: Api;
  readonly filters?: Filters;
  /** Ports of its own, closed with the engine; what is being done is waited for afterwards. */
  readonly closing?: readonly ClosedPort[];
  readonly jobs?: readonly Job[];
  /** Of kinds of its own whose records are deleted in a way of their own. */
  readonly removing?: RemovingByKind;
  readonly restoring?: () => Promise<Restoring>;
  readonly findOutdated?: () => Promise<FindOutdated>;
  readonly follows?: WhatFollows;
}

const CORE: EngineFeature = { name: 'core', kinds: [rejectionKind] };

/** The kinds of records that the features have, and the core's own. */
export function kindsOf(features: readonly EngineFeature[]): KindTable {
  return makeKindTable([...features, CORE].flatMap(({ kinds = [] }) => kinds));
}

/** Joins core and features; opening nothing by itself, it costs no time. `close` closes the store and the embedder too. */
export function joinEngine(given: EnginePorts, settings: EngineSettings, features: readonly EngineFeature[]): Engine {
  const recent = createRecentWrites();
  const kinds = kindsOf(features);
  const rejections = createAllRejections(given.store);
  const guarded = noteCommits(guardCommits(given.store, { kinds, rejections }), recent);
  const store = features.reduce(
    (inner, { follows }) => (follows === undefined ? inner : withWhatFollows(inner, follows, given.clock)),
    guarded,
  );
  const ports = { ...given, store, kinds };
  const indexes = createSpaceIndexes(
    {
      ...ports,
      store: withWholeEntries(store, kinds),
      afterFlush: (space) => pruneFeed({ ...ports, settings }, space),
    },
    settings,
    recent,
  );
  const searchIndexes = createSearch({ ...ports, indexes }, settings);
  const search: Search = (caller, query) =>
    countSearch(core.tally, async () => {
      const { asOf } = query;
      if (asOf !== undefined) return searchAsOf(core, caller, { ...query, asOf });
      return searchIndexes(caller, await resolveQuery(core, caller, query));
    });
  const core: EngineParts = {
    ...ports,
    settings,
    indexes,
    search,
    rejections,
    filters: Object.assign({}, ...features.map(({ filters }) => filters)),
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    removing: Object.assign({}, ...features.map(({ removing }) => removing)),
    restoring: features.flatMap(({ restoring }) => restoring ?? []),
    outdated: features.flatMap(({ findOutdated }) => findOutdated ?? []),
    state: keepStates(ports),
    tally: createTally(),
    visits: createSpaceVisits(store, ports.clock),
    time: createTimeKeeper(ports),
  };
  let closing: Promise<void> | null = null;
  const own: CoreFunctions = {
    ...createRecordVerbs(core),
    kinds,
    search,
    dropVectors: (caller, embedders) => dropVectors(core, caller, embedders),
    countLabels: (caller, label) => countLabels(core, caller, label),
    checkHealth: (caller) => checkHealth(core, caller),
    listChanges: (caller, input) => listChanges(store, caller, input),
    followChanges: (caller, options) => followChanges(core, caller, options),
    embedTexts: (caller, texts) => embedTexts(core, caller, texts),
    purgeExpired: (caller, input) => purgeExpiredNow(core, caller, input),
    finishRemovals: () => keepUntilClosed(core.tally, finishPending(core)),
    async countStoredBy(caller, userId) {
      authorize(caller, 'admin', caller.space);
      return countStoredBy(core, userId);
    },
    enterTeam: (caller, team) => enterTeam(core, caller, team),
    publicUrl: () => settings.publicUrl ?? null,
    runUpkeep: (signal, options) => runUpkeep(core, signal, options ?? {}),
    whenWorkIsLeft(call) {
      core.tally.workLeft = call;
    },
    close() {
      closing ??= closeParts(core, features);
      return closing;
    },
  };
  return Object.assign(own, ...features.map(({ api }) => bindAll(api ?? {}, core)));
}

function bindAll(api: Api, core: EngineParts): Record<string, unknown> {
  return Object.fromEntries(Object.entries(api).map(([name, bind]) => [name, bind(core)]));
}

async function countSearch(tally: Tally, search: () => Promise<SearchResult>): Promise<SearchResult> {
  const startedAt = performance.now();
  const result = await search();
  tally.searches++;
  tally.searchMs += performance.now() - startedAt;
  return result;
}

/** Asked at every start: nothing is loaded for it where nothing is to be done. */
async function finishPending(parts: EngineParts): Promise<void> {
  const removals = (await parts.sharing?.listRemovals()) ?? [];
  if (removals.some(({ what, emptiedAt }) => what === 'user' || emptiedAt === null)) await finishRemovals(parts);
}

function keepUntilClosed({ unfinished }: Tally, work: Promise<void>): Promise<void> {
  const settled = work.catch(() => undefined).finally(() => unfinished.delete(settled));
  unfinished.add(settled);
  return work;
}

async function closeParts(core: EngineParts, features: readonly EngineFeature[]): Promise<void> {
  const { tally, indexes, embedder, previousEmbedder, store } = core;
  for (const { closing = [] } of features) for (const port of closing) await core[port]?.close();
  await Promise.all(tally.unfinished);
  await indexes.close();
  await embedder?.close();
  await previousEmbedder?.close();
  await store.close();
}

/** The caller as a member of one team, seeing its space alone. A team that the caller is not in and one that does not exist look the same. */
async function enterTeam({ sharing }: EngineParts, caller: Caller, team: string): Promise<Caller> {
  const found = (await sharing?.findTeam({ name: team.trim() })) ?? (await sharing?.findTeam({ id: team })) ?? null;
  if (found === null || !caller.roles.has(found.id) || !caller.spaces.includes(found.id)) {
    throw new EngineError('not_found', 'team not found', { hint: '`ltm teams ls` shows the teams you are in.' });
  }
  return { ...caller, space: found.id, spaces: [found.id] };
}
