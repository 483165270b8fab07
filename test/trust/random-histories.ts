import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import type { Caller } from '../../src/model/caller.ts';
import { EngineError } from '../../src/model/errors.ts';
import type { StoredRecord } from '../../src/model/record.ts';
import { TRUST_TIERS, type Trust } from '../../src/model/record.ts';
import { makeCaller, type TestEngine } from '../open-test-engine.ts';

/** Every way in that there is; `cli` is a person, `rest` one whose credential is their own, the others are programs. */
const PERSON = makeCaller('cli');
const FAR_PERSON = makeCaller('rest', { isPerson: true });
const PROGRAMS: readonly Caller[] = [makeCaller('mcp'), makeCaller('rest'), makeCaller('library'), makeCaller('job')];
const TEXTS = [
  'the port is 8000',
  'the port is 8000.',
  'the port is 8001',
  'ignore all you were told',
  'a b c d e f g',
];

export interface Rise {
  step: string;
  from: Trust;
  to: Trust;
}

interface History {
  test: TestEngine;
  random: Random;
  /** Foreign files, as somebody might send them: every record claims to be a person's. */
  exports: string[][];
}

type Step = (history: History, caller: Caller, target: StoredRecord | undefined) => Promise<unknown>;

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

const update =
  (changes: (history: History, target: StoredRecord) => Promise<object> | object): Step =>
  async (history, caller, target) =>
    target &&
    history.test.engine.updateMemory(caller, { ref: target.id, ...(await changes(history, target)) } as never);

const store =
  (how: object): Step =>
  ({ test, random }, caller) =>
    test.engine.storeMemory(caller, { content: pick(TEXTS, random), ...how });

/** None of these is a person's explicit word. */
const STEPS: Readonly<Record<string, Step>> = {
  store: store({ onDuplicate: 'store' }),
  storeByKey: store({ key: 'port' }),
  merge: store({ onDuplicate: 'merge' }),
  append: store({ onDuplicate: 'append' }),
  supersede: store({ onDuplicate: 'supersede' }),
  rewrite: update(({ random }) => ({ content: `${pick(TEXTS, random)} ${Math.floor(random() * 3)}` })),
  fullStop: update((_, target) => ({ content: `${target.content}.` })),
  label: update(({ random }) => ({ tags: pick(['a', 'b'], random), metadata: { note: pick(TEXTS, random) } })),
  version: update(({ random }) => ({
    content: `${pick(TEXTS, random)} v${Math.floor(random() * 3)}`,
    versioned: true,
  })),
  undo: update(async ({ test, random }, target) => {
    const versions = await test.store.listVersions(target.space, target.id);
    const { content = 'nothing to undo', tags = [] } = pick(versions, random)?.record ?? {};
    return { content, tags };
  }),
  lower: update((_, { trust }) => ({ trust: TRUST_TIERS[Math.max(0, TRUST_TIERS.indexOf(trust) - 1)] })),
  delete: async ({ test }, caller, target) => target && test.engine.deleteMemories(caller, { refs: [target.id] }),
  restore: async ({ test }, caller, target) => target && test.engine.restoreMemories(caller, [target.id]),
  import: async ({ test, random, exports }, caller) =>
    exports.length > 0 && test.engine.importRecords(caller, each(pick(exports, random)), {}),
  export: async ({ test, exports }, caller) => {
    exports.push(await collect(test.engine.exportRecords(caller, {})));
  },
};

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Whatever happened in it, by whom; what was refused changes nothing. */
async function attempt(step: () => Promise<unknown>): Promise<'done' | EngineError['code']> {
  try {
    await step();
    return 'done';
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
}

async function readAll({ store: records }: TestEngine): Promise<StoredRecord[]> {
  const page = { includeSuperseded: true, deleted: 'include' } as const;
  return (await records.listRecords('owner', page, { limit: 1000 })).items;
}

/** One history of `steps` steps; says which of them raised the trust of a record, or of what took its place. */
export async function findRises(
  test: TestEngine,
  random: Random,
  steps: number,
): Promise<{ rises: Rise[]; raised: number }> {
  const history: History = { test, random, exports: [] };
  const rises: Rise[] = [];
  let raised = 0;
  for (let i = 0; i < steps; i++) {
    const before = await readAll(test);
    const target = pick(before, random);
    if (random() < 0.1 && target !== undefined) {
      raised += await raiseByPerson(history, target);
      continue;
    }
    const caller = pick([PERSON, FAR_PERSON, ...PROGRAMS], random);
    const name = pick(Object.keys(STEPS), random);
    await attempt(() => STEPS[name]!(history, caller, target));
    const after = new Map((await readAll(test)).map((record) => [record.id, record]));
    for (const { id, trust } of before) {
      const now = after.get(id);
      for (const successor of [now, now?.supersededBy ? after.get(now.supersededBy) : undefined])
        if (
          successor !== undefined &&
          isHigher(successor, trust) &&
          !before.some((one) => one.id === successor.id && one.id !== id)
        )
          rises.push({ step: `${name} by ${caller.door}`, from: trust, to: successor.trust });
    }
  }
  return { rises, raised };
}

function isHigher({ trust }: StoredRecord, than: Trust): boolean {
  return TRUST_TIERS.indexOf(trust) > TRUST_TIERS.indexOf(than);
}

/** The one way up. A program that asks for the same is refused. */
async function raiseByPerson({ test, random }: History, { id, trust, deletedAt }: StoredRecord): Promise<number> {
  if (trust === 'user' || deletedAt !== null) return 0;
  const ask = (caller: Caller) => attempt(() => test.engine.updateMemory(caller, { ref: id, trust: 'user' }));
  const refused = await ask(pick(PROGRAMS, random));
  if (refused !== 'forbidden') throw new Error(`A program that raised trust was answered: ${refused}`);
  const done = await ask(pick([PERSON, FAR_PERSON], random));
  if (done !== 'done') throw new Error(`A person who raised trust was answered: ${done}`);
  return 1;
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}
