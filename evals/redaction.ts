// node evals/redaction.ts [--gitleaks=FILE] [--verbose]: measures the privacy rules on a corpus made on the spot and writes evals/results/redaction.md.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/evaluation/seeded-random.ts';
import { findSecrets, SECRET_RULES } from '../src/privacy/find-secrets.ts';
import { sampleGitleaks } from './redaction/gitleaks-families.ts';
import { findFalseHits, measureRecall, type Recall, sum } from './redaction/measure.ts';
import { sampleNegatives } from './redaction/negatives.ts';
import { sampleNamed, samplePasswords, sampleTokens } from './redaction/positives.ts';
import { measureProse, readProse } from './redaction/prose.ts';

const SAMPLES = 20;
const PROSE_BYTES = 100e6;

const { values: options } = parseArgs({
  options: { gitleaks: { type: 'string' }, verbose: { type: 'boolean', default: false } },
});
const random = seededRandom(20_260_131);

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(2)} %`;

function recallRow(name: string, list: readonly Recall[], goal: string): string[] {
  if (options.verbose)
    for (const { kind, missed } of list)
      for (const text of missed) console.log(`missed ${kind}: ${JSON.stringify(text)}`);
  return [
    name,
    String(list.length),
    String(sum(list, 'samples')),
    percent(sum(list, 'found'), sum(list, 'samples')),
    goal,
  ];
}

function gitleaksRow(path: string, asWritten: boolean): string[] {
  const samples = sampleGitleaks({ path, count: SAMPLES, asWritten }, random);
  const missed = samples.filter(({ text }) => !findSecrets(text).some(({ mode }) => mode === 'redact'));
  if (options.verbose) for (const { kind, text } of missed) console.log(`missed ${kind}: ${JSON.stringify(text)}`);
  const families = new Set(samples.map(({ kind }) => kind)).size;
  const name = asWritten ? "recall, gitleaks' patterns unchanged" : "recall, gitleaks' families";
  return [
    name,
    String(families),
    String(samples.length),
    percent(samples.length - missed.length, samples.length),
    asWritten ? '' : '≥ 98 %',
  ];
}

function proseRows(): string[][] {
  const figures = measureProse(readProse(PROSE_BYTES));
  if (figures.bytes === 0) return [];
  const megabytes = figures.bytes / 1e6;
  if (options.verbose)
    for (const { kind, around } of figures.replaced) console.log(`in prose ${kind}: ${JSON.stringify(around)}`);
  return [
    [
      'replacements in prose, per MB',
      '',
      `${megabytes.toFixed(0)} MB`,
      (figures.replaced.length / megabytes).toFixed(2),
      '≤ 1',
    ],
    ['flags in prose, per MB', '', `${megabytes.toFixed(0)} MB`, (figures.flagged / megabytes).toFixed(2), ''],
    ['speed, MB/s on one core', '', `${megabytes.toFixed(0)} MB`, (megabytes / figures.seconds).toFixed(0), '≥ 2'],
  ];
}

const tokens = measureRecall(sampleTokens(SAMPLES, random));
const named = measureRecall(sampleNamed(SAMPLES, random));
const passwords = measureRecall(samplePasswords(1000, random));
const negatives = sampleNegatives(5000, random);
const falseHits = findFalseHits(negatives);
if (options.verbose)
  for (const { kind, text } of falseHits) console.log(`false hit in ${kind}: ${JSON.stringify(text.slice(0, 200))}`);
const found = [tokens, named, passwords].reduce((total, list) => total + sum(list, 'found'), 0);
const kinds = new Set(negatives.map(({ kind }) => kind)).size;

const rows = [
  ['figure', 'kinds', 'samples', 'result', 'goal'],
  ['---', '---:', '---:', '---:', '---:'],
  recallRow('recall, tokens with a distinctive format', tokens, '≥ 98 %'),
  recallRow("recall, values next to a vendor's name", named, '≥ 98 %'),
  recallRow('recall, `password=` and the like', passwords, '≥ 85 %'),
  ...(options.gitleaks === undefined
    ? []
    : [gitleaksRow(options.gitleaks, false), gitleaksRow(options.gitleaks, true)]),
  ['precision over all replacements above and below', '', '', percent(found, found + falseHits.length), '≥ 95 %'],
  ['texts without a secret that were changed', String(kinds), String(negatives.length), String(falseHits.length), ''],
  ...proseRows(),
];
const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const report = `# How well secrets are found

Written by \`node evals/redaction.ts\`: ${SECRET_RULES.length} rules, ${new Set(SECRET_RULES.map(({ kind }) => kind)).size} kinds. The corpus is generated from patterns at each run, with a fixed seed; no secrets are stored in the project.
"Found" means that nothing of the secret is left in the text. Each secret is tested alone and in prose, JSON, JSON in JSON, YAML, environment files, URLs, shell commands, diffs and stack traces.
The prose is what the machine has: conversations and the documentation of a Debian system. What is replaced there is mostly sample passwords in URLs.

How far to trust the figures:

- The formats of the first two rows were originally derived from the rules, so these rows guard against regressions and prove little else.
- The rows on gitleaks are generated from patterns that others wrote. The first leaves out seven families (public ids, guesses, whole files) and generates sixteen from the vendors' descriptions, because their patterns accept nearly anything (\`evals/redaction/gitleaks-families.ts\` lists them). The second uses the patterns unchanged.
- The prose and the negatives were inspected while the rules were written.

${table}
`;
writeFileSync(join(import.meta.dirname, 'results/redaction.md'), report);
console.log(table);
