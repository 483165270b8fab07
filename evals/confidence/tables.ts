import type { Asked } from './ask-store.ts';

type Judged = Pick<Asked, 'confidence' | 'isRight'>;
interface Weighed extends Judged {
  weight: number;
}

const percent = (share: number): string => (Number.isNaN(share) ? '' : `${(share * 100).toFixed(0)} %`);

export const share = (list: readonly Asked[], holds: (asked: Asked) => boolean): string =>
  percent(list.filter(holds).length / list.length);

export const isFound = ({ verdict }: Asked): boolean => verdict === 'found';

export const table = (rows: readonly (readonly string[])[]): string =>
  [rows[0]!, rows[0]!.map((_, i) => (i === 0 ? '---' : '---:')), ...rows.slice(1)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

export const VERDICT_HEAD = [
  '',
  'answerable',
  'first hit right',
  'found',
  'found where right',
  'of another store, found',
  'neighbouring, found',
];

export function verdictRow(name: string, list: readonly Asked[]): string[] {
  const of = (kind: Asked['kind']): Asked[] => list.filter((asked) => asked.kind === kind);
  const answerable = of('answerable');
  const right = answerable.filter(({ isRight }) => isRight);
  return [
    name,
    String(answerable.length),
    share(answerable, ({ isRight }) => isRight),
    share(answerable, isFound),
    share(right, isFound),
    share(of('foreign'), isFound),
    share(of('neighbour'), isFound),
  ];
}

const PASSING = [0.05, 0.1, 0.15, 0.2];
export const TRADE_HEAD = ['', ...PASSING.map((passing) => `at ${passing * 100} %`), 'AUC'];

/** What share of the answerable would be found at a border that so many of the others pass, and how often an answerable question has the surer store. */
export function tradeRow(name: string, list: readonly Asked[], others: readonly Asked['kind'][]): string[] {
  const surest = (kinds: readonly Asked['kind'][]): number[] =>
    list
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ evidence }) => evidence?.answers ?? 0)
      .sort((a, b) => b - a);
  const [own, foreign] = [surest(['answerable']), surest(others)];
  const found = PASSING.map((passing) => {
    const border = foreign[Math.floor(foreign.length * passing)] ?? 0;
    return percent(own.filter((each) => each > border).length / own.length);
  });
  let wins = 0;
  for (const each of own) for (const other of foreign) wins += each > other ? 1 : each === other ? 0.5 : 0;
  return [name, ...found, (wins / (own.length * foreign.length)).toFixed(3)];
}

/** Fewer of a set would say more by chance than by what they are. */
const LEAST_OF_A_SET = 30;

/** Each set weighs the same, and within it this share of the questions has an answer. */
function weigh(asked: readonly Asked[], answered: number): (Asked & { weight: number })[] {
  return [...Map.groupBy(asked, ({ set }) => set).values()].flatMap((list) => {
    const answerable = list.filter(({ kind }) => kind === 'answerable').length;
    if (Math.min(answerable, list.length - answerable) < LEAST_OF_A_SET) return [];
    return list.map((each) => ({
      ...each,
      weight: each.kind === 'answerable' ? answered / answerable : (1 - answered) / (list.length - answerable),
    }));
  });
}

function splitInTenths(judged: readonly Weighed[]) {
  return Array.from({ length: 10 }, (_, tenth) => {
    const own = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === tenth);
    const weight = own.reduce((sum, each) => sum + each.weight, 0);
    const mean = (of: (each: Weighed) => number): number =>
      own.reduce((sum, each) => sum + each.weight * of(each), 0) / weight;
    const right = ({ isRight }: Weighed): number => (isRight ? 1 : 0);
    return { tenth, count: own.length, weight, said: mean(({ confidence }) => confidence), right: mean(right) };
  });
}

/** The expected calibration error over ten bins of equal width. */
function measureError(judged: readonly Weighed[]): number {
  const bins = splitInTenths(judged).filter(({ weight }) => weight > 0);
  const whole = bins.reduce((sum, { weight }) => sum + weight, 0);
  return bins.reduce((sum, { weight, said, right }) => sum + weight * Math.abs(said - right), 0) / whole;
}

/** The shares of questions that have an answer which the tables of confidence show. */
const MIXES = [1, 7 / 8, 1 / 2];
export const MIX_HEAD = ['', 'all have an answer', 'seven of eight', 'one of two'];

const othersOf = (asked: readonly (Asked & { weight: number })[]): Weighed[] =>
  asked.flatMap(({ weight, others }) => others.map((each) => ({ ...each, weight })));

export const errorRow = (name: string, asked: readonly Asked[]): string[] => [
  name,
  ...MIXES.map((answered) => measureError(weigh(asked, answered)).toFixed(3)),
];

export const othersErrorRow = (name: string, asked: readonly Asked[]): string[] => [
  name,
  ...MIXES.map((answered) => measureError(othersOf(weigh(asked, answered))).toFixed(3)),
];

export function reliabilityRows(asked: readonly Asked[]): string[][] {
  const mixes = MIXES.map((answered) => splitInTenths(weigh(asked, answered)));
  return mixes[0]!.map(({ tenth }) => [
    `${tenth / 10} to ${(tenth + 1) / 10}`,
    ...mixes.map((bins) => {
      const { said, right, weight } = bins[tenth]!;
      return weight === 0 ? '' : `${said.toFixed(2)}: ${percent(right)}`;
    }),
  ]);
}
