// What each part of the ranking is worth: every set with the part left out, through the real store and search path. Writes evals/results/ablation.md.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { loadConfig } from '../src/features/config.ts';
import { runEvaluation } from '../src/features/evaluation/run-evaluation.ts';
import { RANKING_STEPS, type RankingStep } from '../src/search/ranking-steps.ts';
import { THIS_MACHINE } from '../src/server/this-machine.ts';
import { createLog } from '../src/settings/log.ts';

const HERE = import.meta.dirname;
const locomo = join(HERE, '..', '..', 'shared', 'data', 'locomo', 'locomo.eval.json.gz');
const own = readdirSync(join(HERE, 'data')).map((name) => join(HERE, 'data', name));
const files = [...(existsSync(locomo) ? [locomo] : []), ...own];
if (!existsSync(locomo)) console.error('LoCoMo is not there: only our own sets are measured.');

async function measure(rankWithout: readonly RankingStep[]): Promise<number[]> {
  const run = await runEvaluation(THIS_MACHINE, loadConfig({ env: {} }), {
    log: createLog('error'),
    files,
    k: 10,
    bootstrap: 0,
    seed: 1,
    rankWithout,
  });
  return run.files.map(({ evaluation }) => evaluation.macro.engine?.recall[10]?.fraction ?? Number.NaN);
}

const rows: [string, number[]][] = [['everything', await measure([])]];
for (const part of RANKING_STEPS) {
  rows.push([`without ${part}`, await measure([part])]);
  console.error(rows.at(-1));
}
rows.push(['BM25 + cosine only', await measure(RANKING_STEPS)]);

const names = files.map((file) => basename(file).replace(/\..*$/, ''));
const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const table = [
  line(['macro R@10 fraction', ...names]),
  line(['---', ...names.map(() => '---:')]),
  ...rows.map(([name, values]) => line([name, ...values.map((value) => value.toFixed(3))])),
];
mkdirSync(join(HERE, 'results'), { recursive: true });
const text = `# Ablation: what each part of the ranking is worth\n\nWritten by \`node evals/ablation.ts\`. docs/search.md describes the parts; there, "trust" is called coverage and "variety" diversity.\n\n${table.join('\n')}\n`;
writeFileSync(join(HERE, 'results', 'ablation.md'), text);
console.log(text);
