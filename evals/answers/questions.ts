import type { RecordFilter } from '../../src/model/filter.ts';
import { SEARCH_MODES, type SearchQuery } from '../../src/model/search.ts';
import { Dice, makeText, makeWords, NOW, type Record, type World } from './worlds.ts';

export interface Question {
  spaces: string[];
  query: SearchQuery;
}

const DAY = 86_400_000;
const TIMES = [
  'yesterday',
  'last week',
  'last month',
  'in March',
  'between March and May',
  'this year',
  'letzte Woche',
];

/** Every question that came with the text, and so many made from the records. */
export function listQuestions({ spaces, asked, name }: World, made: number): Question[] {
  const dice = new Dice(name.length * 1000 + made);
  const names = [...spaces.keys()];
  const given = asked.map(({ space, query }): Question => ({ spaces: [space], query: { query } }));
  const others = Array.from({ length: made }, (): Question => {
    const home = dice.pick(names);
    const records = spaces.get(home)!.flat();
    const searched = dice.below(4) === 0 ? [...new Set([home, dice.pick(names), dice.pick(names)])] : [home];
    const from = asked.length > 0 && dice.below(2) === 0 ? dice.pick(asked).query : null;
    return { spaces: searched, query: makeQuery(records, dice, from) };
  });
  return [...given, ...others];
}

function makeQuery(records: readonly Record[], dice: Dice, from: string | null): SearchQuery {
  const text = from ?? makeQueryText(dice.pick(records).content, dice);
  const mode = dice.below(2) === 0 ? undefined : dice.pick(SEARCH_MODES);
  const filter = dice.below(3) === 0 ? makeFilter(dice, dice.pick(records)) : undefined;
  const chance = (one: number) => dice.below(one) === 0;
  return {
    ...(filter !== undefined && chance(6) ? {} : { query: mode === 'exact' ? text.slice(3, 20) : text }),
    ...(mode === undefined ? {} : { mode }),
    ...(filter === undefined ? {} : { filter }),
    ...(chance(8) ? { when: dice.pick(TIMES) } : {}),
    ...(chance(12) ? { after: '2026-01-10' } : {}),
    ...(chance(12) ? { before: '2 weeks ago' } : {}),
    ...(chance(2) ? { limit: dice.pick([1, 3, 10, 25, 41, 60, 100]) } : {}),
    ...(chance(8) ? { maxChars: 200 + dice.below(2000) } : {}),
    ...(chance(8) ? { qualityBoost: dice.below(11) / 10 } : {}),
    ...(chance(8) ? { fallback: true } : {}),
    ...(chance(8) ? { debug: true } : {}),
  };
}

function makeQueryText(content: string, dice: Dice): string {
  const words = content.split(/\s+/).filter((word) => word !== '');
  const start = dice.below(words.length);
  const some = words.slice(start, start + 1 + dice.below(6));
  const word = dice.pick(some);
  switch (dice.below(11)) {
    case 0:
      return `"${some.join(' ')}"`;
    case 1:
      return `"${some.slice(0, 2).join(' ')}" ${dice.pick(words)} ${dice.pick(words)}`;
    case 2:
      return `${word.slice(0, 2 + dice.below(4))}*`;
    case 3:
      return `${word.slice(0, 2)}${word.slice(3)} ${dice.pick(words)}`;
    case 4:
      return `When did ${some.join(' ')}?`;
    case 5:
      return `What does ${dice.pick(['Maya', 'Theo', 'Caroline', '丽丽'])} say of ${some.join(' ')}`;
    case 6:
      return `what do I know of the ${word} and ${dice.pick(words)}`;
    case 7:
      return `what is the ${dice.pick(words)} of ${word} in a ${makeText(makeWords(50), dice, 3)}`;
    case 8:
      return word;
    default:
      return some.join(' ');
  }
}

function makeFilter(dice: Dice, like: Record): RecordFilter {
  const { type, project, agent, session, conversation, tags } = like;
  const named = Object.entries({ project, agent, session, conversation }).filter(([, label]) => label !== null);
  const choices: RecordFilter[] = [
    { types: [type] },
    { types: ['note', 'decision'] },
    { kinds: ['memory'] },
    { kinds: ['packet'] },
    { tags: [...tags, 'red'] },
    { tags: [...tags, 'red'], tagMatch: 'all' },
    { minTrust: 'user' },
    { includeSuperseded: true },
    { after: NOW - dice.below(300) * DAY },
    { before: NOW - dice.below(300) * DAY },
    { validAt: NOW - 250 * DAY },
    ...(named.length > 0 ? [Object.fromEntries([dice.pick(named)])] : []),
  ];
  return { ...dice.pick(choices), ...dice.pick(choices) };
}
