import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import type { Engine } from '../src/engine/engine.ts';
import type { Store } from '../src/engine/ports.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../src/features/default-settings.ts';
import { foldCase } from '../src/model/fold-case.ts';
import { openStore } from '../src/stores/open-store.ts';
import { makeCaller, makeClock, silentLog } from './open-test-engine.ts';
import { makePgliteStore } from './postgres/postgres-stores.ts';

const caller = makeCaller();
const SPACE = caller.space;

/** Words, scripts, signs and blobs that are cut in different ways. */
const WORDS = [
  'deploy',
  'Deploys',
  'DEPLOYED',
  'database',
  'data',
  'base',
  'straße',
  'STRASSE',
  'Straßen',
  'don’t',
  "don't",
  'ΟΔΟΣ',
  'οδος',
  'οδός',
  'İstanbul',
  'istanbul',
  'café',
  'cafe\u0301',
  'src/auth/login.ts',
  'getUserById',
  'C++',

  '数据库设计',
  '设计数据',
  '猫',
  'データベース',
  '안녕하세요',
  'ภาษาไทยง่าย',
  'ﬁle',
  'ＡＢＣ',
  '🎉',
  '🎉🎉',
  '->',
  '!!',
  '𐐀𐐨x',
  '𠮷野家',
  'a',
  'I',
  '42',
  'v2.10.3',
  'e-mail',
  'me@example.com',
  'x'.repeat(80),
  'ab'.repeat(60),
  `https://example.com/${'path/'.repeat(9)}`,
  'f'.repeat(70),
  'Zz'.repeat(2100),
];
const GAPS = [' ', ' ', ' ', '\n', ', ', '. ', '', '-', '/', '\u00a0'];

type Dice = (sides: number) => number;

function makeDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function makeText(dice: Dice): string {
  const long = dice(12) === 0 ? 300 : 2 + dice(14);
  // Blobs are rare: their records are looked at whatever is asked for.
  const word = () => WORDS[dice(dice(30) === 0 ? WORDS.length : WORDS.length - 1)]!;
  return `${Array.from({ length: long }, () => word() + GAPS[dice(GAPS.length)]!).join('')}${dice(100_000)}`;
}

function makeNeedle(dice: Dice, contents: readonly string[]): string {
  const text = contents[dice(contents.length)]!;
  const start = dice(text.length);
  const needle = text.slice(start, start + 1 + dice(dice(8) === 0 ? 120 : 14));
  const cases = [needle, needle.toUpperCase(), needle.toLowerCase(), `${needle}q`, WORDS[dice(WORDS.length)]!];
  return cases[dice(cases.length)]!;
}

/** Counts contents that were looked at without the index having named them. */
function watch(store: Store): { store: Store; blind: () => number } {
  let blind = 0;
  const listRecords: Store['listRecords'] = (space, filter, page, note) => {
    if (filter.contains !== undefined && filter.ids === undefined) blind++;
    return store.listRecords(space, filter, page, note);
  };
  return { store: { ...store, listRecords }, blind: () => blind };
}

async function listAll(engine: Engine, contains: string, filter: object): Promise<{ ids: string[]; totals: string[] }> {
  const ids: string[] = [];
  const totals: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<Engine['listMemories']>> = await engine.listMemories(caller, {
      filter: { ...filter, contains },
      page: { limit: 7, cursor },
    });
    ids.push(...page.items.map(({ id }) => id));
    totals.push(page.atLeast === true ? `at least ${page.total}` : String(page.total));
    cursor = page.cursor;
  } while (cursor !== null);
  return { ids, totals };
}

interface Folded {
  id: string;
  folded: string;
  tags: readonly string[];
}

/** All contents, looked at one by one. */
function listPlainly(all: readonly Folded[], contains: string, tag: string | null): string[] {
  const wanted = foldCase(contains);
  return all
    .filter(({ folded, tags }) => folded.includes(wanted) && (tag === null || tags.includes(tag)))
    .map(({ id }) => id);
}

async function compare(
  engine: Engine,
  store: Store,
  { dice, needles }: { dice: Dice; needles: number },
): Promise<void> {
  const { items } = await store.listRecords(SPACE, {}, { limit: 10_000 });
  const contents = items.map(({ content }) => content);
  const all = items.map(({ id, content, tags }) => ({ id, folded: foldCase(content), tags }));
  for (let i = 0; i < needles; i++) {
    const needle = makeNeedle(dice, contents);
    if (!needle.isWellFormed() || needle.includes('\0')) continue;
    const tag = dice(3) === 0 ? 'even' : null;
    const expected = listPlainly(all, needle, tag);
    const { ids, totals } = await listAll(engine, needle, tag === null ? {} : { tags: [tag] });
    assert.deepEqual(ids, expected, JSON.stringify(needle));
    for (const total of totals) {
      const isRight = total.startsWith('at least')
        ? Number(total.slice(9)) <= expected.length
        : Number(total) === expected.length;
      assert.ok(isRight, `${JSON.stringify(needle)}: ${total} of ${expected.length}`);
    }
    const found = await engine.search(caller, { query: needle, mode: 'exact', limit: 100 }).catch(() => null);
    const trimmed = needle.trim();
    if (found === null || trimmed === '') continue;
    const exact = listPlainly(all, trimmed, null);
    assert.deepEqual(
      found.hits.map(({ id }) => id),
      exact.slice(0, 100),
      `exact: ${JSON.stringify(needle)}`,
    );
    assert.equal(found.cursor !== null, exact.length > 100);
    assert.ok(found.total >= found.hits.length, `${JSON.stringify(needle)}: ${found.hits.length} of ${found.total}`);
  }
}

async function fill(engine: Engine, dice: Dice, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const input = { content: makeText(dice).replaceAll('\0', ''), tags: [i % 2 === 0 ? 'even' : 'odd'] };
    const outcome = await engine.storeMemory(caller, { ...input, onDuplicate: 'store' });
    if ('memory' in outcome) ids.push(outcome.memory.id);
  }
  return ids;
}

interface Case {
  name: string;
  seeds: readonly number[];
  needles: number;
  open(): Promise<Store>;
}

function promise({ name, seeds, needles, open }: Case): void {
  test(`${name}: contents are found as by looking at each, in the tail, in segments and after changes`, async () => {
    for (const seed of seeds) {
      const dice = makeDice(seed);
      const clock = makeClock();
      const real = await open();
      const { store, blind } = watch(real);
      const ports = { store, embedder: null, clock, log: silentLog };
      const engine = createEngine(ports, { ...DEFAULT_SETTINGS, flushPassages: 60 });
      await fill(engine, dice, 90);
      await compare(engine, real, { dice, needles });
      await engine.runUpkeep();
      clock.run(1000);
      const more = await fill(engine, dice, 80);
      await compare(engine, real, { dice, needles });
      await engine.deleteMemories(caller, { refs: more.slice(0, 20) });
      for (const ref of more.slice(30, 40)) await engine.updateMemory(caller, { ref, content: makeText(dice) });
      await compare(engine, real, { dice, needles });
      await engine.runUpkeep();
      await compare(engine, real, { dice, needles });
      await engine.close();
      assert.equal(blind(), 0, 'every needle was answered by way of the index');
    }
  });
}

describe('contents that hold a text', () => {
  let pglite: PGlite;
  const opened: { destroy(): Promise<void> }[] = [];
  before(async () => {
    pglite = await PGlite.create();
  });
  after(async () => {
    for (const under of opened) await under.destroy();
    await pglite.close();
  });
  promise({
    name: 'SQLite',
    seeds: [1, 2, 3],
    needles: 60,
    open: () => openStore(':memory:', { clock: makeClock(), log: silentLog }),
  });
  promise({
    name: 'PostgreSQL',
    seeds: [4],
    needles: 12,
    async open() {
      const under = await makePgliteStore(pglite);
      opened.push(under);
      return under.store;
    },
  });
});
