import { seededRandom } from '../../src/features/evaluation/seeded-random.ts';
import type { Caller } from '../../src/model/caller.ts';
import { makeCaller } from '../open-test-engine.ts';
import { type Dice, makeDice, randomListFilter, randomMemory, randomQuery, randomUpdate } from './random-operations.ts';
import { doTwice, openTwin, type Twin, type TwinStep } from './twin-engines.ts';

const SPACES = ['owner', 'team', 'other'];
const LABELS = ['tag', 'type', 'project', 'agent', 'kind'] as const;
/** Ids to choose from; older ones are forgotten, so that most choices still mean something. */
const MAX_KNOWN = 400;

export interface DifferentialOptions {
  /** Locations of the two databases, both empty. */
  locations: readonly [string, string];
  operations: number;
  seed: number;
  onProgress?: (done: number) => void;
}

export interface Difference {
  operation: number;
  name: string;
  answers: [string, string];
}

export interface DifferentialReport {
  operations: number;
  differences: Difference[];
  /** How often each kind of operation was done. */
  counts: Record<string, number>;
}

type Pair = readonly [string, string];

interface Round {
  twins: readonly [Twin, Twin];
  dice: Dice;
  caller: Caller;
  /** A record that both know, by each one's own id. */
  anyRef(): Pair;
}

type Operation = (round: Round) => Promise<TwinStep>;

/** The same random operations through two engines on two databases; every answer must be the same, orders and scores included. */
export async function runDifferential({
  locations,
  operations,
  seed,
  onProgress,
}: DifferentialOptions): Promise<DifferentialReport> {
  const dice = makeDice(seededRandom(seed));
  const twins = [await openTwin(locations[0]), await openTwin(locations[1])] as const;
  const report: DifferentialReport = { operations: 0, differences: [], counts: {} };
  let known: Pair[] = [];
  const anyRef = (): Pair => (known.length === 0 || dice.chance(0.03) ? ['unknown', 'unknown'] : dice.of(known));
  try {
    for (let i = 0; i < operations && report.differences.length === 0; i++) {
      const [name, operation] = chooseOperation(dice);
      const space = dice.of(SPACES);
      const caller = makeCaller('mcp', { space, spaces: dice.chance(0.2) ? SPACES : [space] });
      const { answers, ids } = await operation({ twins, dice, caller, anyRef });
      if (answers[0] !== answers[1]) report.differences.push({ operation: i, name, answers });
      if (name.startsWith('store')) known = [...known, ...ids].slice(-MAX_KNOWN);
      report.counts[name] = (report.counts[name] ?? 0) + 1;
      report.operations = i + 1;
      onProgress?.(i + 1);
    }
  } finally {
    for (const { engine } of twins) await engine.close();
  }
  return report;
}

function chooseOperation(dice: Dice): [string, Operation] {
  let left = dice.below(WEIGHTS);
  for (const [name, { weight, run }] of Object.entries(OPERATIONS)) {
    left -= weight;
    if (left < 0) return [name, run];
  }
  throw new Error('The weights do not add up.');
}

const OPERATIONS: Record<string, { weight: number; run: Operation }> = {
  store: {
    weight: 300,
    run({ twins, dice, caller }) {
      const input = randomMemory(dice);
      return doTwice(twins, ({ engine }) => engine.storeMemory(caller, input));
    },
  },
  update: {
    weight: 120,
    run({ twins, dice, caller, anyRef }) {
      const ref = anyRef();
      const input = randomUpdate(dice, '');
      return doTwice(twins, ({ engine }, side) => engine.updateMemory(caller, { ...input, ref: ref[side] }));
    },
  },
  delete: {
    weight: 60,
    run({ twins, caller, anyRef }) {
      const ref = anyRef();
      return doTwice(twins, ({ engine }, side) => engine.deleteMemories(caller, { refs: [ref[side]] }));
    },
  },
  'delete by filter': {
    weight: 4,
    run({ twins, dice, caller }) {
      const filter = { ...randomListFilter(dice), tags: ['red', 'blue'], tagMatch: 'all' as const };
      return doTwice(twins, ({ engine }) => engine.deleteMemories(caller, { filter }));
    },
  },
  restore: {
    weight: 60,
    run({ twins, caller, anyRef }) {
      const ref = anyRef();
      return doTwice(twins, ({ engine }, side) => engine.restoreMemories(caller, [ref[side]]));
    },
  },
  purge: {
    weight: 20,
    run({ twins, caller, anyRef }) {
      const ref = anyRef();
      return doTwice(twins, ({ engine }, side) => engine.purgeMemories(caller, [ref[side]]));
    },
  },
  search: {
    weight: 200,
    run({ twins, dice, caller }) {
      const query = randomQuery(dice);
      return doTwice(twins, async ({ engine }) => {
        const first = await engine.search(caller, query);
        return [first, first.cursor === null ? null : await engine.search(caller, { ...query, cursor: first.cursor })];
      });
    },
  },
  list: {
    weight: 120,
    run({ twins, dice, caller }) {
      const filter = randomListFilter(dice);
      const page = dice.chance(0.3)
        ? { limit: 1 + dice.below(9), offset: dice.below(5) }
        : { limit: 1 + dice.below(30) };
      return doTwice(twins, async ({ engine }) => {
        const first = await engine.listMemories(caller, { filter, page });
        return [
          first,
          first.cursor === null
            ? null
            : await engine.listMemories(caller, { filter, page: { limit: page.limit, cursor: first.cursor } }),
        ];
      });
    },
  },
  get: {
    weight: 50,
    run({ twins, caller, anyRef }) {
      const refs = [anyRef(), anyRef()];
      return doTwice(twins, ({ engine }, side) =>
        engine.getMemories(caller, { refs: refs.map((ref) => ref[side]), includeDeleted: true }),
      );
    },
  },
  versions: {
    weight: 40,
    run({ twins, caller, anyRef }) {
      const ref = anyRef();
      return doTwice(twins, ({ engine }, side) => engine.listVersions(caller, ref[side]));
    },
  },
  labels: {
    weight: 30,
    run({ twins, dice, caller }) {
      const label = dice.of(LABELS);
      return doTwice(twins, ({ engine }) => engine.countLabels(caller, label));
    },
  },
  feed: {
    weight: 20,
    run({ twins, caller }) {
      return doTwice(twins, async ({ store }) => {
        const head = await store.head(caller.space);
        const entries = await store.changesAfter(caller.space, Math.max(0, head - 20), 50);
        // The id of a rejection is made under a random key of its replica.
        return [head, entries.map((entry) => (entry.kind === 'rejection' ? { ...entry, id: 'rejection' } : entry))];
      });
    },
  },
  facts: {
    weight: 10,
    run({ twins, caller }) {
      return doTwice(twins, async ({ store }) => {
        const {
          store: _,
          location: __,
          bytes: ___,
          schemaVersion: ____,
          segments: _____,
          segmentBytes: ______,
          replica: _______,
          epoch: ________,
          rowSecurity: _________,
          ...facts
        } = await store.inspect(caller.space);
        return [facts, await store.listSpaces()];
      });
    },
  },
  exchange: { weight: 4, run: exchange },
  // How much of the index is left to write depends on what background work was in time for.
  upkeep: {
    weight: 10,
    run: ({ twins }) =>
      doTwice(twins, async ({ engine }) => {
        const { embedded, purged } = await engine.runUpkeep();
        return { embedded, purged };
      }),
  },
};
const WEIGHTS = Object.values(OPERATIONS).reduce((sum, { weight }) => sum + weight, 0);

/** What the first exports, both import into another space. */
async function exchange({ twins, dice, caller }: Round): Promise<TwinStep> {
  const into = makeCaller('cli', { space: dice.of(SPACES), spaces: SPACES });
  const options = {
    includeDeleted: dice.chance(0.5),
    includeVersions: dice.chance(0.5),
    filter: randomListFilter(dice),
  };
  return doTwice(twins, async ({ engine }) => {
    const lines: string[] = [];
    for await (const line of engine.exportRecords(caller, options)) lines.push(line);
    const report = await engine.importRecords(
      into,
      (async function* () {
        yield* lines;
      })(),
      {},
    );
    // The last line holds a hash over all ids, which differ. The ids of rejections are made under a random key; those of other records begin with the time.
    const conflicts = report.conflicts.filter((told) => told.startsWith('01'));
    return [lines.slice(1, -1).filter((line) => !line.includes('"kind":"rejection"')), { ...report, conflicts }];
  });
}
