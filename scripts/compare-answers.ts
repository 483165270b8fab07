// Asks a tree of this project some thousand questions and writes every whole answer, so that two trees can be compared byte for byte.
//   node scripts/compare-answers.ts --tree ../base --out /tmp/base.jsonl
//   node scripts/compare-answers.ts --out /tmp/own.jsonl --against /tmp/base.jsonl
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listQuestions, type Question } from '../evals/answers/questions.ts';
import { chatWorlds, Dice, madeUpWorld, NOW, type Record, type World } from '../evals/answers/worlds.ts';
import type { Engine, EngineSettings } from '../src/engine/engine.ts';
import type { Embedder } from '../src/engine/ports.ts';
import type { Caller } from '../src/model/caller.ts';

const ROOT = join(import.meta.dirname, '..');
const MAX_PAGES = 3;
const { values } = parseArgs({
  options: {
    tree: { type: 'string', default: ROOT },
    out: { type: 'string' },
    against: { type: 'string' },
    worlds: { type: 'string', default: '' },
  },
});
if (values.out === undefined) throw new Error('Say with --out where the answers go.');
const tree = resolve(values.tree);
const load = (path: string) => import(join(tree, 'src', path));
/** A tree from before the features has it in the engine. */
const { createEngine } = (await load(
  existsSync(join(tree, 'src/features/create-engine.ts')) ? 'features/create-engine.ts' : 'engine/engine.ts',
)) as typeof import('../src/features/create-engine.ts');
/** A tree from before the features declare their settings has all of them in the engine. */
const { DEFAULT_SETTINGS } = (await load(
  existsSync(join(tree, 'src/features/default-settings.ts'))
    ? 'features/default-settings.ts'
    : 'engine/default-settings.ts',
)) as typeof import('../src/features/default-settings.ts');
const { openStore } = (await load('stores/open-store.ts')) as typeof import('../src/stores/open-store.ts');
const { createStaticEmbedder } = (await load(
  'embedders/static-embedder.ts',
)) as typeof import('../src/embedders/static-embedder.ts');

const clock = { now: () => NOW };
const log = { info() {}, warn() {}, error: console.error };

function makeCaller(spaces: readonly string[]): Caller {
  const scopes = new Set(['read', 'write', 'admin'] as const);
  const roles = new Map(spaces.map((space) => [space, 'owner'] as const));
  return { userId: 'owner', space: spaces[0]!, spaces, roles, scopes, door: 'job', timeZone: 'Europe/Berlin' };
}

/** The words' own directions added up: texts with the same words lie near each other. */
function createHashEmbedder(dimensions: number): Embedder {
  const directions = new Map<string, Float32Array>();
  const directionOf = (word: string) => {
    const known = directions.get(word);
    if (known !== undefined) return known;
    const dice = new Dice(createHash('sha256').update(word).digest().readUInt32LE());
    const direction = Float32Array.from({ length: dimensions }, () => dice.below(2001) - 1000);
    directions.set(word, direction);
    return direction;
  };
  const embedText = (text: string) => {
    const vector = new Float32Array(dimensions).fill(1);
    for (const word of text.toLowerCase().split(/\s+/))
      for (const [i, part] of directionOf(word).entries()) vector[i] = vector[i]! + part;
    const norm = Math.hypot(...vector);
    return vector.map((part) => part / norm);
  };
  return { id: `hash-${dimensions}`, dimensions, embed: async (texts) => texts.map(embedText), close: async () => {} };
}

async function* exportLines(records: readonly Record[]): AsyncGenerator<string> {
  const lines = [{ format: 'ltm-export', version: 1 }, ...records.toReversed().map((record) => ({ record }))];
  const texts = lines.map((line) => JSON.stringify(line));
  yield* texts;
  const sha256 = createHash('sha256')
    .update(texts.map((text) => `${text}\n`).join(''))
    .digest('hex');
  yield JSON.stringify({ end: { records: records.length, versions: 0, relations: 0, sha256 } });
}

/** The last batch stays in the growing part of the index; some records of the first are deleted or changed. */
async function fill(engine: Engine, { spaces }: World): Promise<void> {
  for (const [space, batches] of spaces) {
    const caller = makeCaller([space]);
    for (const [i, batch] of batches.entries()) {
      const { problems, conflicts } = await engine.importRecords(caller, exportLines(batch), {});
      if (problems.length + conflicts.length > 0)
        throw new Error(JSON.stringify([problems, conflicts].flat().slice(0, 3)));
      await engine.runUpkeep();
      if (i > 0) await change(engine, caller, batches[i - 1]!);
    }
    await engine.runUpkeep();
  }
}

async function change(engine: Engine, caller: Caller, batch: readonly Record[]): Promise<void> {
  await engine.deleteMemories(caller, { refs: batch.filter((_, i) => i % 29 === 3).map(({ id }) => id) });
  for (const { id } of batch.filter((_, i) => i % 97 === 5 && i % 29 !== 3))
    await engine.updateMemory(caller, { ref: id, tags: ['red', 'changed'] });
}

async function ask(engine: Engine, { spaces, query }: Question): Promise<string[]> {
  const answers: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    try {
      const answer = await engine.search(makeCaller(spaces), cursor === null ? query : { ...query, cursor });
      if (answer.debug !== undefined) answer.debug.ms = {};
      answers.push(JSON.stringify(answer));
      cursor = answer.cursor;
    } catch (error) {
      answers.push(String(error));
      cursor = null;
    }
    if (cursor === null) break;
  }
  return answers;
}

interface Asked {
  world: World;
  questions: number;
  /** Beside the world's own settings: asked again with others. */
  others?: Partial<EngineSettings>[];
}

const WITHOUT = (['trust', 'context', 'names', 'speaker', 'time', 'variety'] as const).map((part) => ({
  rankWithout: [part],
}));
const WEIGHTS = [{ wordsWeight: 0 }, { meaningWeight: 0 }, { wordsWeight: 2, meaningWeight: 0.5 }];
const hash = (dimensions: number, settings: Partial<EngineSettings> = {}) => ({ embedder: { dimensions }, settings });

function listWorlds(): Asked[] {
  const chats = chatWorlds(ROOT).map((world) => ({
    world,
    questions: 250,
    others: world.name === 'friends' ? WITHOUT : [],
  }));
  return [
    ...chats,
    { world: madeUpWorld({ name: 'few', records: 12, spaces: 3 }, hash(128)), questions: 150 },
    {
      world: madeUpWorld({ name: 'some', records: 600, spaces: 2, batches: 3 }, hash(64, { flushPassages: 100 })),
      questions: 500,
      others: [...WITHOUT, ...WEIGHTS],
    },
    {
      world: madeUpWorld(
        { name: 'words', records: 3000, batches: 2 },
        { embedder: null, settings: { flushPassages: 1000 } },
      ),
      questions: 500,
    },
    {
      world: madeUpWorld(
        { name: 'lean', records: 3000, batches: 3 },
        hash(128, { flushPassages: 500, indexBudgetBytes: 400_000 }),
      ),
      questions: 200,
    },
    { world: madeUpWorld({ name: 'many', records: 24_000, batches: 4 }, hash(128)), questions: 500, others: WEIGHTS },
    {
      world: madeUpWorld({ name: 'turnless', records: 20_000, batches: 3, turns: false }, hash(128)),
      questions: 600,
      others: WEIGHTS,
    },
  ];
}

async function answerAll({ world, questions, others = [] }: Asked, write: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-answers-'));
  const embedder =
    world.embedder === null
      ? null
      : world.embedder === 'bundled'
        ? createStaticEmbedder(join(ROOT, 'models/ltm-embed-v3.bin'))
        : createHashEmbedder(world.embedder.dimensions);
  const list = listQuestions(world, questions);
  for (const [i, other] of [{}, ...others].entries()) {
    const settings = { ...DEFAULT_SETTINGS, ...world.settings, ...other };
    const engine = createEngine(
      { store: await openStore(join(folder, 'ltm.db'), { clock, log }), embedder, clock, log },
      settings,
    );
    if (i === 0) await fill(engine, world);
    for (const question of i === 0 ? list : list.slice(-100))
      for (const answer of await ask(engine, question))
        write(`${world.name} ${i} ${JSON.stringify(question)} ${answer}`);
    await engine.close();
  }
  rmSync(folder, { recursive: true });
}

function compare(own: readonly string[], others: readonly string[]): void {
  const differing = own.filter((line, i) => line !== others[i]);
  console.log(`${own.length} answers, ${others.length} to compare with, ${differing.length} differ`);
  for (const line of differing.slice(0, 3)) {
    const other = others[own.indexOf(line)] ?? '';
    const at = [...line].findIndex((letter, i) => letter !== other[i]);
    console.log(`${line.slice(0, 300)}\n  … ${line.slice(at - 60, at + 120)}\n  … ${other.slice(at - 60, at + 120)}`);
  }
  if (own.length !== others.length || differing.length > 0) process.exitCode = 1;
}

const lines: string[] = [];
const out = createWriteStream(values.out);
for (const asked of listWorlds().filter(
  ({ world }) => `,${values.worlds},`.includes(`,${world.name},`) || values.worlds === '',
)) {
  const [started, before] = [performance.now(), lines.length];
  await answerAll(asked, (line) => {
    lines.push(line);
    out.write(`${line}\n`);
  });
  console.log(
    `${asked.world.name}: ${lines.length - before} answers in ${Math.round((performance.now() - started) / 1000)} s`,
  );
}
out.end();
if (values.against === undefined) console.log(`${lines.length} answers`);
else compare(lines, readFileSync(values.against, 'utf8').split('\n').slice(0, -1));
