// node evals/confidence.ts [FILE…]: how often the verdict and the confidence of the first hit come true. Writes evals/results/confidence.md.
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Conversation, readEvaluationFile } from '../src/evaluation/read-conversations.ts';
import { seededRandom } from '../src/evaluation/seeded-random.ts';
import { type Asked, askStore, openAsking } from './confidence/ask-store.ts';
import { drawStore, type Pool } from './confidence/draw-store.ts';

const SIZES = [1, 3, 10, 30, 100, 300, 1000, 10_000];
const { positionals } = parseArgs({ allowPositionals: true });

function findSets(): string[] {
  const locomo = join(import.meta.dirname, '../../shared/data/locomo/locomo.eval.json.gz');
  return [...(existsSync(locomo) ? [locomo] : []), ...globSync(join(import.meta.dirname, 'data/*.json.gz')).sort()];
}

/** Half of the conversations are stored, the others ask what cannot be answered; a set of one conversation has the questions of other sets for that. */
function split(name: string, conversations: readonly Conversation[]): Pool {
  const stored = conversations.length > 1 ? conversations.filter((_, i) => i % 2 === 0) : conversations;
  const others = conversations.filter((conversation) => !stored.includes(conversation));
  return {
    name,
    items: stored.flatMap((one) =>
      one.items.map((item) => ({ ...item, id: `${one.name}/${item.id}`, conversation: one.name })),
    ),
    questions: stored.flatMap((one) =>
      one.questions.map(({ text, gold }) => ({ text, gold: gold.map((id) => `${one.name}/${id}`) })),
    ),
    foreign: others.flatMap((one) => one.questions.map(({ text }) => text)),
  };
}

const share = (list: readonly Asked[], holds: (asked: Asked) => boolean): string =>
  list.length === 0 ? '' : `${((list.filter(holds).length / list.length) * 100).toFixed(0)} %`;
const isFound = ({ verdict }: Asked): boolean => verdict === 'found';
const table = (rows: readonly (readonly string[])[]): string =>
  [rows[0]!, rows[0]!.map((_, i) => (i === 0 ? '---' : '---:')), ...rows.slice(1)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

function verdictRow(name: string, list: readonly Asked[]): string[] {
  const of = (kind: Asked['kind']): Asked[] => list.filter((asked) => asked.kind === kind);
  const answerable = of('answerable');
  return [
    name,
    String(answerable.length),
    share(answerable, ({ isRight }) => isRight),
    share(answerable, isFound),
    share(
      answerable.filter(({ isRight }) => isRight),
      isFound,
    ),
    share(of('foreign'), isFound),
    share(of('neighbour'), isFound),
  ];
}

function reliabilityRows(asked: readonly Asked[]): string[][] {
  return Array.from({ length: 10 }, (_, tenth) => {
    const own = asked.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === tenth);
    const mean = own.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, own.length);
    return [
      `${tenth / 10} to ${(tenth + 1) / 10}`,
      String(own.length),
      mean.toFixed(2),
      share(own, ({ isRight }) => isRight),
    ];
  });
}

const pools: Pool[] = [];
for (const file of positionals.length > 0 ? positionals : findSets()) {
  const { conversations } = await readEvaluationFile(file);
  pools.push(split(basename(file).replace(/(\.eval)?\.json(\.gz)?$/, ''), conversations));
}
const asking = await openAsking();
const random = seededRandom(20_261_116);
const asked: Asked[] = [];
for (const pool of pools) {
  const foreign =
    pool.foreign.length > 0
      ? pool.foreign
      : pools.filter((other) => other !== pool).flatMap(({ questions }) => questions.map(({ text }) => text));
  for (const size of SIZES) {
    if (size > 10 && pool.items.length < size * 0.7) continue;
    const rounds = size <= 3 ? 20 : size <= 30 ? 6 : size <= 100 ? 3 : 1;
    for (let round = 0; round < rounds; round++) {
      const drawn = drawStore({ ...pool, foreign }, { size, questions: Math.ceil(60 / rounds) }, random);
      asked.push(...(await askStore(asking, { set: pool.name, size, ...drawn })));
    }
    console.error(pool.name, size);
  }
}
await asking.close();
const HEAD = [
  '',
  'answerable',
  'first hit right',
  'found',
  'found where right',
  'of another store, found',
  'neighbouring, found',
];
const group = (name: (asked: Asked) => string): string[][] =>
  [...Map.groupBy(asked, name)].map(([key, list]) => verdictRow(key, list));
const page = `# How often verdict and confidence come true

Written by \`node evals/confidence.ts\`. Stores of several sizes are drawn from each set, and each is asked questions whose answers are in it, and as many that it cannot answer: half of them belong to another store, half are neighbouring ones whose answers were left out of it. The coefficients were fitted to the sets of this project, five conversations of LoCoMo and XQuAD in English, Chinese, Russian and Vietnamese; to the other sets named below nothing was fitted, but the border of the verdict was chosen with their totals in view.

## Verdicts by set

${table([HEAD, ...group(({ set }) => set), verdictRow('all', asked)])}

## Verdicts by the number of memories

${table([HEAD, ...group(({ size }) => String(size))])}

## Confidence of the first hit, over all questions

Half of these questions have no answer.

${table([['confidence', 'questions', 'said', 'right'], ...reliabilityRows(asked)])}
`;
writeFileSync(join(import.meta.dirname, 'results/confidence.md'), page);
console.log(page);
