import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../src/engine/engine.ts';
import { createEngine } from '../../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../src/features/default-settings.ts';
import { seededRandom } from '../../src/features/evaluation/seeded-random.ts';
import { EngineError } from '../../src/model/errors.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { makePacket } from '../make-packet.ts';
import { makeCaller, makeClock, makeWordEmbedder, START, silentLog } from '../open-test-engine.ts';

const caller = makeCaller('cli');
const MEMORIES = 240;
/** The others are in memory alone: both ways into the index are to be seen. */
const IN_SEGMENTS = 180;

async function openAt(path: string): Promise<Engine> {
  const clock = makeClock(START + 10_000_000);
  const store = await openStore(path, { clock, log: silentLog });
  const ports = { store, embedder: makeWordEmbedder(), clock, log: silentLog };
  return createEngine(ports, { ...DEFAULT_SETTINGS, flushPassages: 50, duplicateThreshold: 0.99 });
}

/** Memories with everything that hangs on some: tags, keys, versions, relations, long texts, deletions, purges, and packets. */
async function fillDatabase(path: string): Promise<void> {
  const clock = makeClock();
  const store = await openStore(path, { clock, log: silentLog });
  const ports = { store, embedder: makeWordEmbedder(), clock, log: silentLog };
  const engine = createEngine(ports, { ...DEFAULT_SETTINGS, flushPassages: 50 });
  const random = seededRandom(7);
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)]!;
  const words = 'harbour lantern copper meadow signal orchard granite velvet compass thunder willow ember'.split(' ');
  const sentence = (length: number) => Array.from({ length }, () => pick(words)).join(' ');
  for (let i = 0; i < MEMORIES; i++) {
    clock.run(1000);
    const content = `Number ${i}: ${sentence(i % 15 === 0 ? 400 : 12)}.`;
    const more = { tags: [pick(['red', 'green', 'blue'])], project: pick(['ship', 'shop']), type: 'note' };
    const stored = await engine.storeMemory(caller, { content, ...more, key: i % 10 === 0 ? `key-${i}` : undefined });
    if (!('memory' in stored)) continue;
    const { id } = stored.memory;
    if (i % 7 === 0) await engine.updateMemory(caller, { ref: id, content: `${content} Changed.`, reason: 'news' });
    if (i % 23 === 0) await engine.updateMemory(caller, { ref: id, content: `${content} Anew.`, versioned: true });
    if (i % 31 === 5) await engine.deleteMemories(caller, { refs: [id] });
    if (i % 60 === 9) await engine.purgeMemories(caller, [id]);
    if (i % 40 === 3)
      await engine.savePacket(caller, {
        raw: JSON.stringify(
          makePacket({ id: `01TESTPACKET00000000000${String(i).padStart(3, '0')}`, goal: sentence(8) }),
        ),
      });
    if (i === IN_SEGMENTS) await engine.runUpkeep();
  }
  await engine.close();
}

/** More of the same, with nothing moved out of the log, and then the files as a kill would leave them. */
async function writeAndKill(path: string): Promise<State> {
  const clock = makeClock(START + 5_000_000);
  const store = await openStore(path, { clock, log: silentLog });
  const engine = createEngine({ store, embedder: makeWordEmbedder(), clock, log: silentLog }, DEFAULT_SETTINGS);
  const { items } = await engine.listMemories(caller, { page: { limit: 40 } });
  for (const [i, { id, content }] of items.entries()) {
    clock.run(1000);
    if (i % 3 === 0) await engine.storeMemory(caller, { content: `Late ${i}: copper orchard.`, tags: ['red'] });
    else if (i % 3 === 1) await engine.updateMemory(caller, { ref: id, content: `${content} Late.` });
    else await engine.deleteMemories(caller, { refs: [id] });
  }
  const state = readState(path);
  await engine.close();
  return state;
}

/** The files of a database, by how their names end. */
type State = ReadonlyMap<string, Buffer>;
const ENDS = ['', '-wal', '-shm', '-last'];

function readState(path: string): State {
  const there = ENDS.filter((end) => end !== '-shm' && existsSync(path + end));
  return new Map(there.map((end) => [end, readFileSync(path + end)]));
}

/** What was asked, and how it was answered, as text that two answers can be compared by. */
type Answers = Map<string, string>;

const MISSING = '0'.repeat(20);

/** Search, get, list and export in many ways. An answer that says what it lacks begins with `marked`, one that failed with `error`. */
async function askAll(path: string, ids: readonly string[]): Promise<Answers> {
  const answers: Answers = new Map();
  const engine = await answer(answers, 'open', () => openAt(path));
  if (engine === null) return answers;
  const ask = (name: string, work: () => Promise<unknown>) => answer(answers, name, work);
  for (const query of ['copper lantern', 'what is in the orchard?', '"velvet compass"', 'number 17', 'ember changed'])
    for (const mode of ['hybrid', 'text'] as const)
      await ask(`search ${mode} ${query}`, () => engine.search(caller, { query, mode }));
  await ask('search exact', () => engine.search(caller, { query: 'granite', mode: 'exact', limit: 50 }));
  await ask('search exact of two words', async () => {
    // How many there are is told as "at least so many", which more than one number may keep to.
    const { total, atLeast, ...rest } = await engine.search(caller, {
      query: 'granite velvet',
      mode: 'exact',
      limit: 50,
    });
    if (total < rest.hits.length || total > MEMORIES)
      throw new Error(`${total} of ${rest.hits.length} in all, ${atLeast ? 'or more' : 'no more'}`);
    return rest;
  });
  await ask('search tag', () => engine.search(caller, { query: 'signal', filter: { tags: ['red'] } }));
  await ask('search filter', () => engine.search(caller, { filter: { project: 'ship' } }));
  for (const id of ids) await ask(`get ${id}`, () => engine.getMemories(caller, { refs: [id], includeDeleted: true }));
  await ask('get many', () => engine.getMemories(caller, { refs: [...ids, MISSING], includeDeleted: true }));
  await ask('get key', () => engine.getMemories(caller, { refs: ['key-10', 'key-220', 'no such key'] }));
  await ask('history', () => engine.listVersions(caller, ids[0]!));
  for (const [name, filter] of Object.entries(LISTS))
    await ask(`list ${name}`, () => engine.listMemories(caller, { filter, page: { limit: 50 } }));
  await ask('list second page', async () => {
    const first = await engine.listMemories(caller, { page: { limit: 30 } });
    const second = await engine.listMemories(caller, { page: { limit: 30, cursor: first.cursor } });
    const damaged = first.damaged ?? second.damaged;
    const { notices } = second;
    return { items: [...first.items, ...second.items], cursor: second.cursor, damaged, notices };
  });
  await ask('list packets', () => engine.listPackets(caller, {}));
  for (const [name, options] of Object.entries(EXPORTS))
    await ask(`export ${name}`, async () => {
      const lines: string[] = [];
      for await (const line of engine.exportRecords(caller, options)) lines.push(line);
      return lines;
    });
  await ask('close', () => engine.close());
  return answers;
}

const LISTS = {
  all: {},
  tag: { tags: ['green'] },
  project: { project: 'shop' },
  superseded: { includeSuperseded: true },
  deleted: { deleted: 'only', includeSuperseded: true },
  contains: { contains: 'meadow' },
  type: { types: ['note'] },
} as const;

const EXPORTS = { all: {}, live: { includeDeleted: false }, some: { filter: { project: 'ship' } } };

async function answer<T>(answers: Answers, name: string, work: () => Promise<T>): Promise<T | null> {
  try {
    const given = await work();
    answers.set(name, name === 'open' ? 'opened' : describe(given));
    return given;
  } catch (error) {
    const isTold = error instanceof EngineError && error.code !== 'not_found';
    answers.set(name, `${isTold ? 'error' : 'failed'} ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

const MARKS = /damaged|(?:are|is) missing from the database|have no vector yet/;

function describe(given: unknown): string {
  const text = JSON.stringify(given) ?? '';
  const isMarked = Array.isArray(given)
    ? given.some((line) => String(line).startsWith('{"damaged"'))
    : MARKS.test(JSON.stringify(pickMarks(given)));
  return isMarked ? `marked ${text}` : text;
}

function pickMarks(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return null;
  const { damaged, notices } = given as { damaged?: unknown; notices?: unknown };
  return { ...(damaged !== undefined && { damaged }), notices };
}

export interface FlipReport {
  flips: number;
  /** Answers were the same although a bit was not. */
  harmless: number;
  /** Some answer failed, or said what it lacks. */
  told: number;
  /** Other answers, without a word. */
  silent: { offset: number; bit: number; asked: string; before: string; after: string }[];
}

interface FlipOptions {
  flips: number;
  seed: number;
  /** Told after each. */
  onFlip?: (done: number, report: FlipReport) => void;
  /** In which file: of a database that was closed, or in the log of one that was killed. */
  part?: '' | '-wal';
  /** Only this byte and bit, for looking into one. */
  only?: { offset: number; bit: number };
  /** A database that is kept: ids are random, so another one has its bytes elsewhere. */
  database?: string;
}

/** Flips one random bit of the file at a time and asks everything again. */
export async function flipBits({ flips, seed, onFlip, only, database, part = '' }: FlipOptions): Promise<FlipReport> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-flips-'));
  try {
    const path = database ?? join(folder, 'memory.db');
    if (!existsSync(path)) await fillDatabase(path);
    const ids = await chooseIds(path);
    const state = part === '' ? readState(path) : await writeAndKill(path);
    const bytes = state.get(part)!;
    const copy = join(folder, 'flipped.db');
    const sound = await askCopy(copy, state, ids);
    const report: FlipReport = { flips: 0, harmless: 0, told: 0, silent: [] };
    const random = seededRandom(seed);
    for (let i = 0; i < flips; i++) {
      const offset = only?.offset ?? Math.floor(random() * bytes.length);
      const bit = only?.bit ?? Math.floor(random() * 8);
      const flipped = Buffer.from(bytes);
      flipped[offset]! ^= 1 << bit;
      const answers = await askCopy(copy, new Map([...state, [part, flipped]]), ids);
      // Search, get, list and export tell of lost writes; a history is a bare list, and leaves that to them.
      if (part === '-wal') answers.delete('history');
      judge(report, { offset, bit, sound, answers });
      onFlip?.(i + 1, report);
    }
    return report;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function askCopy(copy: string, state: State, ids: readonly string[]): Promise<Answers> {
  for (const end of ENDS) rmSync(copy + end, { force: true });
  for (const [end, bytes] of state) writeFileSync(copy + end, bytes);
  return askAll(copy, ids);
}

/** Changed, plain, long, deleted. */
async function chooseIds(path: string): Promise<string[]> {
  const engine = await openAt(path);
  const { items } = await engine.listMemories(caller, { page: { limit: 1000 } });
  const deleted = await engine.listMemories(caller, { filter: { deleted: 'only', includeSuperseded: true } });
  await engine.close();
  const changed = items.find(({ revision }) => revision > 1)!;
  return [changed.id, ...items.filter((_, i) => i % 17 === 3).map(({ id }) => id), deleted.items[0]!.id];
}

function judge(
  report: FlipReport,
  { offset, bit, sound, answers }: { offset: number; bit: number; sound: Answers; answers: Answers },
): void {
  report.flips++;
  let isTold = false;
  let isSilent = false;
  for (const [asked, after] of answers) {
    const before = sound.get(asked);
    if (after === before) continue;
    if (/^(error|marked) /.test(after)) isTold = true;
    else {
      isSilent = true;
      report.silent.push({ offset, bit, asked, before: before ?? '', after });
    }
  }
  if (isTold) report.told++;
  else if (!isSilent) report.harmless++;
}
