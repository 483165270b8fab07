// node evals/confidence.ts [FILE…]: how often the verdict and the confidence of the first hit come true. Writes evals/results/confidence.md.
// --evidence FILE writes what evals/confidence/fit.py fits to instead, a line a question.
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Conversation, readEvaluationFile } from '../src/evaluation/read-conversations.ts';
import { seededRandom } from '../src/evaluation/seeded-random.ts';
import { type Asked, askStore, openAsking } from './confidence/ask-store.ts';
import { type Drawn, drawStore, leaveOutSome, type Pool } from './confidence/draw-store.ts';
import { listSpeakers, putToSpeakers } from './confidence/put-to-speakers.ts';

const SIZES = [1, 3, 10, 30, 100, 300, 1000, 10_000];
/** Stands for whole conversations of at least this many items. */
const WHOLE = 0;
const LONG = 20;
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    evidence: { type: 'string' },
    questions: { type: 'string', default: '60' },
  },
});

function findSets(): string[] {
  const locomo = join(import.meta.dirname, '../../shared/data/locomo/locomo.eval.json.gz');
  return [
    ...(existsSync(locomo) ? [locomo] : []),
    ...MADE_BY_RULE.map((name) => join(import.meta.dirname, `data/${name}.json.gz`)),
  ];
}

/** Made by rule, all their conversations speak of the same things: what one of them asks, another may answer. */
const MADE_BY_RULE = ['assistant', 'chinese', 'developer', 'friends', 'languages'];

/** Half of the conversations are stored, the others ask what cannot be answered; sets made by rule have the questions of other sets for that. */
function split(name: string, all: readonly Conversation[]): Pool {
  const conversations = all.map((one): Conversation => {
    const rename = (id: string) => `${one.name}/${id}`;
    return {
      ...one,
      items: one.items.map((item) => ({ ...item, id: rename(item.id) })),
      questions: one.questions.map((question) => ({ ...question, gold: question.gold.map(rename) })),
    };
  });
  const stored = conversations.length > 1 ? conversations.filter((_, i) => i % 2 === 0) : conversations;
  const others = conversations.filter((conversation) => !stored.includes(conversation));
  return {
    name,
    conversations: stored,
    items: stored.flatMap((one) => one.items.map((item) => ({ ...item, conversation: one.name }))),
    questions: stored.flatMap((one) => one.questions),
    foreign: MADE_BY_RULE.includes(name) ? [] : others.flatMap((one) => one.questions.map(({ text }) => text)),
    speakers: listSpeakers(conversations),
  };
}

/** Whether questions may be of one language. */
function kinOf(text: string): 'chinese' | 'english' | 'other' {
  if (/\p{Script=Han}/u.test(text)) return 'chinese';
  return /\b(?:the|what|which|who|when|where|why|how|did|does|is|was)\b/i.test(text) ? 'english' : 'other';
}

/** What a set without questions of its own that nothing answers is asked instead: those of other sets, of the same language where there are any. */
function borrowQuestions(pool: Pool): string[] {
  const others = pools
    .filter((other) => other !== pool && !MADE_BY_RULE.includes(other.name))
    .flatMap(({ questions }) => questions.map(({ text }) => text));
  const kin = others.filter((text) => kinOf(text) === kinOf(pool.questions[0]?.text ?? ''));
  return kin.length > 0 ? kin : others;
}

function* drawStores(pool: Pool, foreign: readonly string[]): Generator<Drawn & Pick<Asked, 'size'>> {
  const names = pools.flatMap(({ speakers }) => speakers);
  const questions = Number(options.questions);
  const put = (stored: readonly Conversation[]): string[] => putToSpeakers(foreign, names, listSpeakers(stored));
  for (const size of SIZES) {
    if (size > 10 && pool.items.length < size * 0.7) continue;
    const rounds = size <= 3 ? 20 : size <= 30 ? 6 : size <= 100 ? 3 : 1;
    for (let round = 0; round < rounds; round++)
      yield {
        size,
        ...drawStore(
          { ...pool, foreign: put(pool.conversations) },
          { size, questions: Math.ceil(questions / rounds) },
          random,
        ),
      };
  }
  const long = pool.conversations.filter(({ items }) => items.length >= LONG);
  for (const one of long)
    yield {
      size: WHOLE,
      ...leaveOutSome(one, put([one]), { questions: Math.ceil((2 * questions) / long.length), random }),
    };
}

const share = (list: readonly Asked[], holds: (asked: Asked) => boolean): string =>
  list.length === 0 ? '' : `${((list.filter(holds).length / list.length) * 100).toFixed(0)} %`;
/** Of a set that is neither this project's own nor named after all of LoCoMo. */
const isUnseen = ({ set }: Asked): boolean => ![...MADE_BY_RULE, 'locomo', 'notes'].includes(set);
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

/** What share of the answerable would be found at a border that so many of the others pass, and how often an answerable question has the surer first hit. */
function tradeRow(name: string, list: readonly Asked[]): string[] {
  const surest = (isAnswerable: boolean) =>
    list
      .filter(({ kind }) => (kind === 'answerable') === isAnswerable)
      .map(({ confidence }) => confidence)
      .sort((a, b) => b - a);
  const [answerable, others] = [surest(true), surest(false)];
  const found = [0.05, 0.1, 0.15, 0.2].map((passing) => {
    const border = others[Math.floor(others.length * passing)] ?? 0;
    return `${((answerable.filter((each) => each > border).length / answerable.length) * 100).toFixed(0)} %`;
  });
  let wins = 0;
  for (const each of answerable) for (const other of others) wins += each > other ? 1 : each === other ? 0.5 : 0;
  return [name, ...found, (wins / (answerable.length * others.length)).toFixed(3)];
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
  const foreign = pool.foreign.length > 0 ? pool.foreign : borrowQuestions(pool);
  for (const drawn of drawStores(pool, foreign)) asked.push(...(await askStore(asking, { set: pool.name, ...drawn })));
  console.error(pool.name);
}
await asking.close();
if (options.evidence !== undefined) {
  writeFileSync(options.evidence, asked.map((each) => `${JSON.stringify(each)}\n`).join(''));
  process.exit();
}
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

Written by \`node evals/confidence.ts\`. Stores of several sizes are drawn from each set, and each is asked questions whose answers are in it, and as many that it cannot answer: half of them belong to another store, half are neighbouring ones whose answers were left out of it. Where a question of another store names one of its speakers, it names one of this store instead, three times out of four. Whole conversations lose the answers to a quarter of their questions at most. Sets that end in \`-p\` store paragraphs, those in \`-s\` single sentences, of which the neighbours of the one that was left out stay: the hardest case. \`-filled\` is the same among 9,500 other texts. \`evals/confidence/make_sets.py\` makes the sets of others.

Fitted to: the sets of this project (those made by rule count a quarter, because their questions avoid the words of their answers on purpose; sixty short notes in full), five conversations of LoCoMo (once more with \`user\` and \`assistant\` for the names), parts of FriendsQA (a sitcom), QMSum (meetings) and Molweni (a support channel), XQuAD in English (also among 9,500 other texts), German, Russian, Chinese, Vietnamese, Hindi and Thai, parts of JaQuAD (Japanese) and ARCD (Arabic), CMRC 2018 (Chinese) and a Turkish set. Nothing was fitted to or chosen on the other sets below. Some are other parts or languages of those: the other five conversations of LoCoMo (\`locomo-even\`), other parts of FriendsQA, QMSum, JaQuAD and ARCD, XQuAD in Spanish, Romanian, Greek, Arabic and Turkish, and SQuAD-it (\`squadit\`, Italian, of which XQuAD's texts are a part). Others are wholly foreign: QED (English, questions that people typed into a search engine), PersianQA, ParaShoot (\`hebrew\`), DRCD (traditional Chinese), FaQuAD (Portuguese, about a university), PoQuAD (Polish) and COVID-QA (\`covid\`, English, scientific papers).

## Verdicts by set

${table([
  HEAD,
  ...group(({ set }) => set),
  verdictRow('sets that nothing was fitted to', asked.filter(isUnseen)),
  verdictRow('all', asked),
])}

## Verdicts by the number of memories

${table([HEAD, ...group(({ size }) => (size === WHOLE ? 'whole conversations' : String(size)))])}

## What another border would give

Of the answerable questions of a set so many would be found if the border were where 5, 10, 15 or 20 % of its unanswerable ones pass, half of them neighbouring; and how often, of one answerable and one unanswerable question, the answerable one has the surer first hit (AUC).

${table([
  ['', 'at 5 %', 'at 10 %', 'at 15 %', 'at 20 %', 'AUC'],
  ...[...Map.groupBy(asked, ({ set }) => set)].map(([set, list]) => tradeRow(set, list)),
  tradeRow('sets that nothing was fitted to', asked.filter(isUnseen)),
  tradeRow('all', asked),
])}

## Confidence of the first hit

Half of these questions have no answer. First those of sets that nothing was fitted to, then of the others.

${table([['confidence', 'questions', 'said', 'right'], ...reliabilityRows(asked.filter(isUnseen))])}

${table([['confidence', 'questions', 'said', 'right'], ...reliabilityRows(asked.filter((each) => !isUnseen(each)))])}
`;
writeFileSync(join(import.meta.dirname, 'results/confidence.md'), page);
console.log(page);
