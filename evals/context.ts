// node evals/context.ts [--held-out] [--misses]: how often a session is given what its prompts need. With --held-out also on what is never tuned on; writes evals/results/context.md.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readEvaluationFile } from '../src/features/evaluation/read-conversations.ts';
import { openAsking } from './confidence/ask-store.ts';
import { type AskedTurn, measureLocomo } from './context/measure-locomo.ts';
import { measureStories, type Probed, UNRELATED_SORT } from './context/measure-stories.ts';
import { HELD_OUT_STORIES } from './context/stories-held-out.ts';
import { TUNING_STORIES } from './context/stories-tuning.ts';

const { values } = parseArgs({
  options: { 'held-out': { type: 'boolean' }, misses: { type: 'boolean' }, stories: { type: 'boolean' } },
});
const LOCOMO = join(import.meta.dirname, '../../shared/data/locomo/locomo.eval.json.gz');
const SEED = 20_261_116;

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
const table = (rows: readonly (readonly string[])[]): string =>
  [rows[0]!, rows[0]!.map((_, i) => (i === 0 ? '---' : '---:')), ...rows.slice(1)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

function showStories(all: readonly Probed[]): string {
  const isUnrelated = ({ sort }: Probed) => sort === UNRELATED_SORT;
  const probed = all.filter((one) => !isUnrelated(one));
  const wasted = all.filter(isUnrelated);
  const sorts = [...new Set(probed.map(({ sort }) => sort))].sort();
  const ways = [...new Set(probed.map(({ way }) => way))];
  const of = (way: string, sort?: string) =>
    probed.filter((one) => one.way === way && (sort === undefined || one.sort === sort));
  const held = (list: readonly Probed[]) => percent(mean(list.map(({ isHeld }) => Number(isHeld))));
  const rows = ways.map((way) => [
    way,
    held(of(way)),
    ...sorts.map((sort) => held(of(way, sort))),
    mean(of(way).map(({ tokens }) => tokens)).toFixed(0),
  ]);
  const head = ['', 'all', ...sorts.map((sort) => `${sort} (${of(ways[0]!, sort).length})`), 'tokens a session'];
  const given = percent(1 - mean(wasted.map(({ isHeld }) => Number(isHeld))));
  const cost = mean(wasted.map(({ tokens }) => tokens)).toFixed(0);
  return `${table([head, ...rows])}\n\nOf ${wasted.length} prompts that nothing stored has to do with, ${given} were given something, at ${cost} tokens on average over all of them.`;
}

function showLocomo(asked: readonly AskedTurn[]): string {
  const ways = [...new Set(asked.map(({ way }) => way))];
  const categories = [...new Set(asked.map(({ category }) => category))].sort();
  const macro = (way: string, of: (one: AskedTurn) => number) =>
    percent(
      mean(
        categories.map((category) => mean(asked.filter((one) => one.way === way && one.category === category).map(of))),
      ),
    );
  return table([
    ['', 'any turn that answers', 'share of those turns', 'tokens'],
    ...ways.map((way) => [
      way,
      macro(way, ({ share }) => Number(share > 0)),
      macro(way, ({ share }) => share),
      mean(asked.filter((one) => one.way === way).map(({ tokens }) => tokens)).toFixed(0),
    ]),
  ]);
}

const asking = await openAsking();
const tools = {
  ...asking,
  ...(values.misses && {
    onMiss: (way: string, prompt: string, text: string) => {
      if (way === 'the block') console.log(`\n--- missed: ${prompt}\n${text}`);
    },
  }),
};
const sections: string[] = [];
const say = (title: string, body: string) => {
  console.log(`\n${title}\n${body}`);
  sections.push(`## ${title}\n\n${body}`);
};
say('Coding sessions, tuned on', showStories(await measureStories(TUNING_STORIES, SEED, tools)));
if (values['held-out'])
  say('Coding sessions, held out', showStories(await measureStories(HELD_OUT_STORIES, SEED + 1000, asking)));
if (!values.stories && existsSync(LOCOMO)) {
  const { conversations } = await readEvaluationFile(LOCOMO);
  const halves = [conversations.filter((_, i) => i % 2 === 0), conversations.filter((_, i) => i % 2 === 1)] as const;
  const ask = async (half: (typeof halves)[number]) => {
    const asked: AskedTurn[] = [];
    for (const conversation of half) asked.push(...(await measureLocomo(conversation, asking)));
    return asked;
  };
  say('LoCoMo, conversations tuned on', showLocomo(await ask(halves[0])));
  if (values['held-out']) say('LoCoMo, conversations held out', showLocomo(await ask(halves[1])));
}
await asking.close();
if (values['held-out']) {
  const about = `# What sessions are given by themselves

Written by \`node evals/context.ts --held-out\`; [../README.md](../README.md#what-sessions-are-given) says how it is measured.`;
  writeFileSync(join(import.meta.dirname, 'results/context.md'), `${[about, ...sections].join('\n\n')}\n`);
}
