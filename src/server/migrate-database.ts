import type { AuthStore } from '../auth/ports.ts';
import {
  canonicalRow,
  compareSpaces,
  copySegments,
  copySpace,
  type MovableStore,
  type SpaceComparison,
} from '../engine/exchange/copy-space.ts';
import type { Embedder, Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import type { RowSet } from '../model/transfer.ts';
import { openStore } from '../stores/open-store.ts';
import { storeExists } from '../stores/store-exists.ts';
import { compareSearches } from './compare-searches.ts';
import type { Config } from './config.ts';
import { openEmbedder } from './open-embedder.ts';
import { refuseOtherData } from './refuse-other-data.ts';
import { systemClock } from './system-clock.ts';

export type FullStore = MovableStore & AuthStore;

export interface MigrateOptions {
  from: string;
  to: string;
  /** Look and count; write nothing anywhere. */
  dryRun?: boolean;
  onProgress?: (step: string, done: number, total: number) => void;
}

export interface MigrationReport {
  spaces: number;
  copied: Omit<SpaceComparison, 'different' | 'sameFeed'> & { users: number; teams: number; tokens: number };
  /** Searches that gave the same ten hits with the same scores in both. */
  comparedSearches: number;
  /** Lines in the source's feeds that came after the last look; run it again to bring them over. */
  behind: number;
  verified: boolean;
}

const MAX_ROUNDS = 5;

/**
 * Copies everything while the source goes on being used, then checks all of it. What is written to the source afterwards is brought over by running it
 * again, which takes as long as that takes. Interrupted at any point it goes on where it was.
 */
export async function migrateDatabase(config: Config, log: Log, options: MigrateOptions): Promise<MigrationReport> {
  const { from, to, dryRun = false } = options;
  if (!(await storeExists(from)))
    throw new EngineError('not_found', 'There is no database of ltm to copy from.', { hint: 'Check --from.' });
  const isTargetThere = await storeExists(to);
  const source = await openStore(from, { clock: systemClock, log });
  let target: FullStore | null = null;
  try {
    target = dryRun && !isTargetThere ? null : await openStore(to, { clock: systemClock, log });
    if (target !== null) await refuseOtherData(source, target);
    if (dryRun || target === null) return await describe(source);
    await target.keepSecret('copied_from', source.transfer.replica);
    return await migrate({ source, target, config, log, options });
  } finally {
    await source.close();
    await target?.close();
  }
}

interface Migration {
  source: FullStore;
  target: FullStore;
  config: Config;
  log: Log;
  options: MigrateOptions;
}

const NOTHING: MigrationReport['copied'] = {
  records: 0,
  versions: 0,
  passages: 0,
  vectors: 0,
  relations: 0,
  changes: 0,
  users: 0,
  teams: 0,
  tokens: 0,
};

async function migrate({ source, target, config, log, options }: Migration): Promise<MigrationReport> {
  const { onProgress = () => {} } = options;
  const spaces = await source.listSpaces();
  for (const [i, space] of spaces.entries()) {
    const { records, deleted } = await source.inspect(space);
    const copy = {
      source,
      target,
      space,
      onProgress: (done: number) => onProgress(`copying space ${i + 1} of ${spaces.length}`, done, records + deleted),
    };
    await copySpace(copy);
    await copySegments(copy);
  }
  const report: MigrationReport = {
    spaces: spaces.length,
    copied: { ...NOTHING },
    comparedSearches: 0,
    behind: 0,
    verified: false,
  };
  for (const [i, space] of spaces.entries()) {
    onProgress('comparing', i, spaces.length);
    await verifySpace({ source, target, space }, report);
  }
  await copyIdentities(source, target, report);
  const embedder: Embedder | null = await openEmbedder(config, log);
  try {
    report.comparedSearches = await compareSearches({ source, target, embedder, log, onProgress }, { config, spaces });
  } finally {
    await embedder?.close();
  }
  for (const space of await source.listSpaces())
    report.behind += (await source.head(space)) - (await target.head(space));
  return { ...report, verified: true };
}

async function verifySpace(
  copy: { source: FullStore; target: FullStore; space: string },
  { copied }: MigrationReport,
): Promise<void> {
  const { different, sameFeed, ...counts } = await compareSpaces(copy);
  for (const [name, count] of Object.entries(counts)) copied[name as keyof typeof counts] += count;
  if (different.length === 0 && sameFeed) return;
  throw new EngineError(
    'conflict',
    `Space ${copy.space} is not the same in both databases: ${different.length} records differ${sameFeed ? '' : ', and so does the feed'}.`,
    {
      hint: 'Run it again while nobody writes to the source. Until then keep using the source: nothing in it was changed.',
      details: { space: copy.space, different: different.length, first: different[0] ?? null },
    },
  );
}

/** Small enough to be written anew each time; compared with what the source has by then. */
async function copyIdentities(source: FullStore, target: FullStore, { copied }: MigrationReport): Promise<void> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const rows = await source.transfer.readIdentityRows();
    await target.transfer.takeInIdentities(rows);
    const [here, there] = await Promise.all(
      [source, target].map(async (store) => canonicalIdentities(await store.transfer.readIdentityRows())),
    );
    if (here !== there) continue;
    copied.users = rows.users?.length ?? 0;
    copied.teams = rows.teams?.length ?? 0;
    copied.tokens = rows.access_tokens?.length ?? 0;
    return;
  }
  throw new EngineError('conflict', 'Users, teams and tokens are not the same in both databases.', {
    hint: 'Run it again while nobody uses the source.',
  });
}

function canonicalIdentities(rows: RowSet): string {
  return JSON.stringify(
    Object.entries(rows)
      .map(([table, all]) => [
        table,
        all
          .filter((row) => table !== 'server_secrets' || row.name !== 'copied_from')
          .map(canonicalRow)
          .sort(),
      ])
      .sort(),
  );
}

async function describe(source: FullStore): Promise<MigrationReport> {
  const spaces = await source.listSpaces();
  const copied = { ...NOTHING };
  for (const space of spaces) {
    const facts = await source.inspect(space);
    copied.records += facts.records + facts.deleted;
    copied.versions += facts.versions;
    copied.passages += facts.passages;
    copied.relations += facts.relations;
    copied.vectors += facts.vectors.reduce((sum, { passages }) => sum + passages, 0);
    copied.changes += facts.head;
  }
  const { users = [], teams = [], access_tokens: tokens = [] } = await source.transfer.readIdentityRows();
  return {
    spaces: spaces.length,
    copied: { ...copied, users: users.length, teams: teams.length, tokens: tokens.length },
    comparedSearches: 0,
    behind: copied.changes,
    verified: false,
  };
}
