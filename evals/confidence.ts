// node evals/confidence.ts [FILE…]: how often the verdict and the confidence of the first hit come true. Writes evals/results/confidence.md.
// --evidence FILE writes what evals/confidence/fit.py fits to instead, a line a question; --from FILE describes such a file without asking again.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Conversation, readEvaluationFile } from '../src/features/evaluation/read-conversations.ts';
import { seededRandom } from '../src/features/evaluation/seeded-random.ts';
import type { QueryKind } from '../src/search/text/query-kind.ts';
import { type Asked, askStore, openAsking } from './confidence/ask-store.ts';
import { type Drawn, drawStore, leaveOutSome, type Pool } from './confidence/draw-store.ts';
import { FITTED_SETS } from './confidence/fitted-sets.ts';
import { listSpeakers, putToSpeakers } from './confidence/put-to-speakers.ts';
import {
  errorRow,
  MIX_HEAD,
  othersErrorRow,
  reliabilityRows,
  TRADE_HEAD,
  table,
  tradeRow,
  VERDICT_HEAD,
  verdictRow,
} from './confidence/tables.ts';

const SIZES = [1, 3, 10, 30, 100, 300, 1000, 10_000];
/** Stands for whole conversations of at least this many items. */
const WHOLE = 0;
const LONG = 20;
const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    evidence: { type: 'string' },
    from: { type: 'string' },
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

/** Of a set that is neither this project's own nor named after all of LoCoMo. */
const isUnseen = ({ set }: Asked): boolean =>
  !FITTED_SETS.has(set) && ![...MADE_BY_RULE, 'locomo', 'notes'].includes(set);

const pools: Pool[] = [];
const random = seededRandom(20_261_116);

async function askAll(): Promise<Asked[]> {
  for (const file of positionals.length > 0 ? positionals : findSets()) {
    const { conversations } = await readEvaluationFile(file);
    pools.push(split(basename(file).replace(/(\.eval)?\.json(\.gz)?$/, ''), conversations));
  }
  const asking = await openAsking();
  const all: Asked[] = [];
  for (const pool of pools) {
    const foreign = pool.foreign.length > 0 ? pool.foreign : borrowQuestions(pool);
    for (const drawn of drawStores(pool, foreign)) all.push(...(await askStore(asking, { set: pool.name, ...drawn })));
    console.error(pool.name);
  }
  await asking.close();
  return all;
}

const readAsked = (file: string): Asked[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const asked = options.from === undefined ? await askAll() : readAsked(options.from);
if (options.evidence !== undefined) {
  writeFileSync(options.evidence, asked.map((each) => `${JSON.stringify(each)}\n`).join(''));
  process.exit();
}
const group = (name: (asked: Asked) => string, list: readonly Asked[] = asked): string[][] =>
  [...Map.groupBy(list, name)].map(([key, own]) => verdictRow(key, own));
const unseen = asked.filter(isUnseen);
const NAMES = { question: 'questions', keywords: 'keywords', remark: 'remarks', name: 'names' } as const;
const KINDS = Object.keys(NAMES) as QueryKind[];
const byKind = (row: (name: string, list: readonly Asked[]) => string[]): string[][] =>
  KINDS.map((kind) =>
    row(
      NAMES[kind],
      unseen.filter(({ asks }) => asks === kind),
    ),
  );
const bySet = (list: readonly Asked[]): string[][] =>
  [...Map.groupBy(list, ({ set }) => set)].map(([set, own]) => tradeRow(set, own, ['foreign', 'neighbour']));

const page = `# How often verdict and confidence come true

Written by \`node evals/confidence.ts\`. Stores of several sizes are drawn from each set, and each is asked questions whose answers are in it, and as many that it cannot answer: half of them belong to another store, half are neighbouring ones whose answers were left out of it. Where a question of another store names one of its speakers, it names one of this store instead, three times out of four. Whole conversations lose the answers to a quarter of their questions at most. Sets that end in \`-p\` store paragraphs, those in \`-s\` single sentences, of which the neighbours of the one that was left out stay: the hardest case. \`-filled\` is the same among 9,500 other texts. What is asked is a question in most sets; a remark in \`remarks-\` (another caption of the same picture, a line of a chat and the facts that it was said from, what a traveller says and the reviews that bear on it, what somebody says in a project and the notes on it); two to four of a question's rarest words in \`words-\`; a name or a number alone in \`names-\`. \`evals/confidence/make_sets.py\` makes the sets of others.

Fitted to: the sets of this project (those made by rule count a quarter, because their questions avoid the words of their answers on purpose; sixty short notes in full), five conversations of LoCoMo (once more with \`user\` and \`assistant\` for the names), parts of FriendsQA (a sitcom), QMSum (meetings) and Molweni (a support channel), XQuAD in English (also among 9,500 other texts), German, Russian, Chinese, Vietnamese, Hindi and Thai, parts of JaQuAD (Japanese) and ARCD (Arabic), CMRC 2018 (Chinese), a Turkish set, captions in English (Multi30k), chats on films and on music (KdConv, Chinese), half of the notes of RealMemBench, and words and names out of five of these. Nothing was fitted to or chosen on the other sets. Some are other parts or languages of those: the other five conversations of LoCoMo (\`locomo-even\`), other parts of FriendsQA, QMSum, JaQuAD and ARCD, XQuAD in Spanish, Romanian, Greek, Arabic and Turkish, SQuAD-it (\`squadit\`, Italian, of which XQuAD's texts are a part), captions in German, chats on travel, the other notes of RealMemBench. Others are wholly foreign: QED (English, questions that people typed into a search engine), PersianQA, ParaShoot (\`hebrew\`), DRCD (traditional Chinese), FaQuAD (Portuguese, about a university), PoQuAD (Polish), COVID-QA (\`covid\`, English, scientific papers), REALTALK (three weeks of messages between two people) and reviews of hotels and restaurants (DSTC 11).

## Verdicts by what is asked

Of the sets that nothing was fitted to, by what the program takes a query for.

${table([VERDICT_HEAD, ...byKind(verdictRow)])}

So many of the answerable would be found if the border were where 5, 10, 15 or 20 % of the questions of another store pass; and how often, of one answerable question and one of another store, the answerable one is judged the likelier (AUC).

${table([TRADE_HEAD, ...byKind((name, list) => tradeRow(name, list, ['foreign']))])}

## Verdicts by set

${table([
  VERDICT_HEAD,
  ...group(({ set }) => set),
  verdictRow('sets that nothing was fitted to', unseen),
  verdictRow('all', asked),
])}

## Verdicts by the number of memories

${table([VERDICT_HEAD, ...group(({ size }) => (size === WHOLE ? 'whole conversations' : String(size)))])}

## What another border would give

The same as above, set by set, where half of the unanswerable ones are neighbouring.

${table([TRADE_HEAD, ...bySet(asked), tradeRow('sets that nothing was fitted to', unseen, ['foreign', 'neighbour'])])}

## Confidence of the first hit

What was said and how often it came true, on the sets that nothing was fitted to, each of the same weight (those with at least thirty questions of a sort): where all questions have an answer, seven of eight, and one of two. The scale was made for the second: people ask a memory mostly for what they have told it.

${table([MIX_HEAD, ...reliabilityRows(unseen)])}

The error (ECE: the mean distance of both over ten bins).

${table([
  MIX_HEAD,
  ...byKind(errorRow),
  errorRow('all', unseen),
  errorRow(
    'sets of this project',
    asked.filter((each) => !isUnseen(each)),
  ),
  othersErrorRow('the other nine hits', unseen),
])}
`;
writeFileSync(join(import.meta.dirname, 'results/confidence.md'), page);
console.log(page);
