import type { AuthStore } from '../../auth/ports.ts';
import {
  copyRecords,
  copySegments,
  copySpace,
  type MovableStore,
  readCopiedHead,
  type SpaceCopy,
} from '../../engine/copy-space.ts';
import type { Clock, Embedder, Feed, Housekeeping, Log, Movable, Records } from '../../engine/ports.ts';
import { readOnlyStore } from '../../engine/read-only-store.ts';
import { type Caller, OWNER_USER, ownerOf } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { SearchResult } from '../../model/search.ts';
import type { RowSet, TransferCounts } from '../../model/transfer.ts';
import { type Config, engineSettings } from '../../settings/config.ts';
import type { Databases, Engines } from '../../verbs/machine.ts';
import { canonicalRows, compareSides, compareSpaces } from './compare-spaces.ts';

type FullStore = MovableStore & AuthStore;

export interface MigrateOptions {
  from: string;
  to: string;
  /** Look and count; write nothing anywhere. */
  dryRun?: boolean;
  onProgress?: (step: string, done: number, total: number) => void;
}

export interface MigrationReport {
  spaces: number;
  copied: TransferCounts & { users: number; teams: number; tokens: number };
  /** Searches that gave the same ten hits with the same scores in both. */
  comparedSearches: number;
  /** Lines in the source's feeds that came after the last look; run it again to bring them over. */
  behind: number;
  /** False: the planner of the target's server learns only later, by itself, what is in the new tables. */
  statisticsGathered: boolean;
  verified: boolean;
}

const MAX_ROUNDS = 5;

/**
 * Copies everything while the source goes on being used, up to one moment of it, and checks all of it against that moment. What is written to the source
 * afterwards is brought over by running it again, which takes as long as that takes. Interrupted at any point it goes on where it was.
 */
export async function migrateDatabase(
  machine: Databases & Engines,
  config: Config,
  { log, from, to, dryRun = false, onProgress = () => {} }: MigrateOptions & { log: Log },
): Promise<MigrationReport> {
  if (!(await machine.storeExists(from)))
    throw new EngineError('not_found', 'There is no ltm database to copy from.', { hint: 'Check --from.' });
  const isTargetThere = await machine.storeExists(to);
  const source = await machine.openStore(from, { log });
  let target: FullStore | null = null;
  try {
    const adminUrl = to === config.db ? config.dbAdminUrl : null;
    target = dryRun && !isTargetThere ? null : await machine.openStore(to, { log, adminUrl });
    if (target !== null) await refuseOtherData(source, target);
    if (dryRun || target === null) return await describe(source, target);
    await target.keepSecret('copied_from', source.transfer.replica);
    return await migrate({ machine, source, target, config, log, onProgress });
  } finally {
    await source.close();
    await target?.close();
  }
}

const NO_PEOPLE = { users: 0, teams: 0, tokens: 0 };
const NOTHING = { records: 0, versions: 0, passages: 0, vectors: 0, relations: 0, changes: 0, ...NO_PEOPLE };

async function migrate(migration: Migration<FullStore>): Promise<MigrationReport> {
  const { source, target, onProgress } = migration;
  const spaces = await source.listSpaces();
  for (const [i, space] of spaces.entries()) {
    const { records, deleted } = await source.inspect(space);
    const step = `copying space ${i + 1} of ${spaces.length}`;
    await copyRecords({ source, target, space, onProgress: (done) => onProgress(step, done, records + deleted) });
  }
  const statisticsGathered = (await target.gatherStatistics?.()) ?? true;
  const moment = (await source.openSnapshot?.()) ?? null;
  try {
    const report = await completeFrom({ ...migration, source: moment ?? source }, moment !== null);
    return { ...report, statisticsGathered, behind: await countBehind(source, target), verified: true };
  } finally {
    await moment?.close();
  }
}

type Compared = Pick<MigrationReport, 'spaces' | 'copied' | 'comparedSearches'>;

/** `isStill`: the source is one moment, so that whatever differs is wrong. */
async function completeFrom(migration: Migration, isStill: boolean): Promise<Compared> {
  const { machine, source, target, config, log } = migration;
  const spaces = await source.listSpaces();
  const copied = { ...NOTHING };
  const report = { spaces: spaces.length, copied, comparedSearches: 0 };
  await dropOthers(target, spaces);
  for (const [i, space] of spaces.entries()) {
    migration.onProgress('comparing', i, spaces.length);
    const copy = { source, target, space };
    await copySpace(copy);
    await copySegments(copy);
    await verifySpace(copy, { report, isStill });
  }
  await copyIdentities(source, target, report);
  const embedder = await machine.openEmbedder(config, log);
  try {
    report.comparedSearches = await compareSearches(migration, embedder, spaces);
  } finally {
    await embedder?.close();
  }
  return report;
}

/** Spaces that were given up in the source since an earlier run has copied them. */
async function dropOthers(target: Housekeeping, spaces: readonly SpaceId[]): Promise<void> {
  for (const space of await target.listSpaces()) if (!spaces.includes(space)) await target.dropSpace(space);
}

async function countBehind(source: Feed & Housekeeping, target: Feed): Promise<number> {
  let behind = 0;
  for (const space of await source.listSpaces()) behind += (await source.head(space)) - (await target.head(space));
  return behind;
}

async function verifySpace(
  copy: SpaceCopy,
  { report, isStill }: { report: Pick<MigrationReport, 'copied'>; isStill: boolean },
): Promise<void> {
  const { different, sameFeed, ...counts } = await compareSpaces(copy);
  const sameSides = !isStill || (await compareSides(copy));
  for (const [name, count] of Object.entries(counts)) report.copied[name as keyof typeof counts] += count;
  if (different.length === 0 && sameFeed && sameSides) return;
  throw new EngineError(
    'conflict',
    `Space ${copy.space} is not the same in both databases: ${different.length} records differ${sameFeed ? '' : ', and so does the feed'}${sameSides ? '' : ', and so do graves or receipts'}.`,
    {
      hint: 'Run the command again while nobody writes to the source. Until then, keep using the source; it was not changed.',
      details: { space: copy.space, different: different.length, first: different[0] ?? null },
    },
  );
}

/** Small enough to be written anew each time; compared with what the source has by then. */
async function copyIdentities(
  source: Movable,
  target: Movable,
  { copied }: Pick<MigrationReport, 'copied'>,
): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const rows = await source.transfer.readIdentityRows();
    await target.transfer.takeInIdentities(rows);
    const [here, there] = await Promise.all(
      [source, target].map(async (store) => canonicalIdentities(await store.transfer.readIdentityRows())),
    );
    if (here !== there) continue;
    Object.assign(copied, countPeople(rows));
    return;
  }
  throw new EngineError('conflict', 'Users, teams and tokens are not the same in both databases.', {
    hint: 'Run the command again while nobody uses the source.',
  });
}

function canonicalIdentities(rows: RowSet): string {
  const secrets = (rows.server_secrets ?? []).filter(({ name }) => name !== 'copied_from');
  return canonicalRows({ ...rows, server_secrets: secrets });
}

/** What a copy would bring over. `behind`: what the target does not have yet. */
async function describe(source: Feed & Housekeeping & Movable, target: FullStore | null): Promise<MigrationReport> {
  const spaces = await source.listSpaces();
  const copied = { ...NOTHING };
  const report = { spaces: spaces.length, copied, comparedSearches: 0, behind: 0 };
  for (const space of spaces) {
    const counts = await source.transfer.countRows(space);
    for (const [name, count] of Object.entries(counts)) copied[name as keyof typeof counts] += count;
    const head = target === null ? 0 : await target.head(space);
    report.behind += Math.min(counts.changes, (await source.head(space)) - head);
  }
  Object.assign(copied, countPeople(await source.transfer.readIdentityRows()));
  return { ...report, statisticsGathered: false, verified: false };
}

function countPeople({ users = [], teams = [], access_tokens: tokens = [] }: RowSet): typeof NO_PEOPLE {
  return { users: users.length, teams: teams.length, tokens: tokens.length };
}

/** A database is filled from one other database, and only while nobody else writes to it: whatever else is in it would be lost or mixed up. */
async function refuseOtherData(source: Movable, target: Feed & Housekeeping & Movable): Promise<void> {
  const theirs = await target.transfer.readIdentityRows();
  const { replica: id } = source.transfer;
  if (id === target.transfer.replica) {
    throw new EngineError('invalid_input', 'Source and target are the same database.', {
      hint: 'Name two different databases.',
    });
  }
  const copiedFrom = findSecret(theirs, 'copied_from');
  const spaces = await target.listSpaces();
  if (copiedFrom === null) {
    const hasPeople = Object.values(countPeople(theirs)).some((count) => count > 0);
    if (spaces.length > 0 || hasPeople) throw holdsOtherData('It has memories or people of its own.');
    return;
  }
  if (copiedFrom !== id) throw holdsOtherData('It was filled from another database.');
  for (const space of spaces) {
    const copied = await readCopiedHead(target, space);
    if (copied === null || copied !== (await target.head(space)))
      throw holdsOtherData('It has been written to since it was filled.');
  }
}

function findSecret(rows: RowSet, name: string): string | null {
  const found = rows.server_secrets?.find((row) => row.name === name)?.value;
  return found === undefined ? null : String(found);
}

function holdsOtherData(why: string): EngineError {
  return new EngineError('conflict', `The target contains other data and was not changed. ${why}`, {
    hint: 'Name an empty database as the target or, for PostgreSQL, another schema (?schema=NAME). To add memories to existing ones, use `ltm export` and `ltm import`.',
  });
}

const MAX_SPACES = 25;
const QUESTIONS = 8;
const WORDS = 5;
/** Where the source could keep no moment and others write to it, the two are seldom at the same place; so often it is tried. */
const MAX_COMPARISONS = 50;

interface Migration<Source extends MovableStore = MovableStore> {
  machine: Engines;
  source: Source;
  target: FullStore;
  config: Config;
  log: Log;
  onProgress: (step: string, done: number, total: number) => void;
}

/** Asks both databases the same questions, made of words of their records, at the same moment in time. Returns how many gave the same; throws at the first that does not. */
async function compareSearches(
  { machine, source, target, config, log, onProgress }: Migration,
  embedder: Embedder | null,
  spaces: readonly SpaceId[],
): Promise<number> {
  const now = Date.now();
  const clock: Clock = { now: () => now };
  const opening = [source, target].map((store) =>
    machine.createEngine(
      { store: readOnlyStore(store, 'A comparison writes nothing.'), embedder, clock, log },
      engineSettings(config),
    ),
  );
  const engines = await Promise.all(opening);
  const chosen = spreadOver(spaces, MAX_SPACES);
  let compared = 0;
  for (const [i, space] of chosen.entries()) {
    onProgress('comparing searches', i, chosen.length);
    const within = { space, spaces: [space], roles: ownerOf([space]) };
    const caller: Caller = { userId: OWNER_USER, ...within, scopes: new Set(['read']), door: 'job' };
    for (const query of await makeQuestions(source, space)) {
      const ask = () => Promise.all(engines.map((engine) => engine.search(caller, { query, limit: 10 })));
      if (await answersAlike({ source, target, space }, ask)) compared++;
    }
  }
  return compared;
}

/** False: the source has moved on with every look. */
async function answersAlike(copy: SpaceCopy, ask: () => Promise<SearchResult[]>): Promise<boolean> {
  const { source, target, space } = copy;
  for (let round = 1; round <= MAX_COMPARISONS; round++) {
    const [a, b] = (await ask()).map(({ hits }) => JSON.stringify(hits.map(({ id, score }) => [id, score])));
    if (a === b) return true;
    if ((await source.head(space)) === (await target.head(space))) throw searchDiffers(space);
    await copyRecords(copy);
  }
  return false;
}

async function makeQuestions(store: Records, space: SpaceId): Promise<string[]> {
  const { items } = await store.listRecords(space, {}, { limit: 200 });
  return spreadOver(items, QUESTIONS)
    .map(({ content }) => (content.match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, WORDS).join(' '))
    .filter((query) => query !== '');
}

/** So many of them, from all over. */
function spreadOver<T>(items: readonly T[], most: number): T[] {
  const step = Math.max(1, Math.floor(items.length / most));
  return items.filter((_, i) => i % step === 0).slice(0, most);
}

function searchDiffers(space: SpaceId): EngineError {
  return new EngineError('conflict', `A search in space ${space} gives different answers in the two databases.`, {
    hint: 'Run it again while nobody writes to the source; if it stays so, run `ltm doctor` on both. Until then keep using the source: nothing in it was changed.',
    details: { space },
  });
}
