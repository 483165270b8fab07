// node evals/conflicts.ts [--verbose]: how well contradictions are told from what can both hold, on labelled pairs, and how many are found in chats and notes of others. Writes evals/results/conflicts.md.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judgeStatements } from '../src/engine/truth/judge-statements.ts';
import { parseStatements } from '../src/engine/truth/parse-statements.ts';
import { type LabelledPair, TUNING } from './conflicts/pairs.ts';

const { values: options } = parseArgs({ options: { verbose: { type: 'boolean', default: false } } });
const THRESHOLD = 0.8;

function isFound({ a, b }: LabelledPair): boolean {
  return parseStatements(a).some((one) =>
    parseStatements(b).some((other) => (judgeStatements(one, other)?.confidence ?? 0) >= THRESHOLD),
  );
}

function measure(pairs: readonly LabelledPair[]): string {
  const found = pairs.filter(isFound);
  const right = found.filter(({ contradict }) => contradict).length;
  const all = pairs.filter(({ contradict }) => contradict).length;
  if (options.verbose)
    for (const pair of pairs.filter((one) => isFound(one) !== one.contradict))
      console.log(`${pair.contradict ? 'missed' : 'FALSE'}: ${pair.a} | ${pair.b}`);
  return `${pairs.length} | ${all} | ${found.length} | ${share(right, found.length)} | ${share(right, all)}`;
}

/** Texts of one source, each with whatever keeps one conversation from another. */
function countIn(texts: Texts): { compared: number; pairs: [string, string][] } {
  const groups = new Map<string, { text: string; at: number }[]>();
  const pairs: [string, string][] = [];
  let compared = 0;
  for (const [at, { group, text }] of texts.entries())
    for (const statement of parseStatements(text)) {
      const key = `${group}\n${statement.subject}\n${statement.verb}`;
      const known = groups.get(key) ?? [];
      for (const other of known) {
        const [earlier] = other.at === at ? [] : parseStatements(other.text);
        if (earlier !== undefined) compared++;
        if (earlier !== undefined && (judgeStatements(earlier, statement)?.confidence ?? 0) >= THRESHOLD)
          pairs.push([other.text, statement.text]);
      }
      known.push({ text: statement.text, at });
      groups.set(key, known);
    }
  return { compared, pairs };
}

const MODULES = join(import.meta.dirname, '..', 'node_modules');
const LOCOMO = join(import.meta.dirname, '..', '..', 'shared', 'data', 'locomo', 'locomo10.json');
type Texts = readonly { group: string; text: string }[];

/** What the authors of the packages in node_modules have written about them: one document, one truth. */
function readDocuments(): Texts {
  const names = readdirSync(MODULES).filter((name) => !name.startsWith('.') && !name.startsWith('@'));
  return names.flatMap((group) => {
    const path = join(MODULES, group, 'README.md');
    if (!existsSync(path)) return [];
    const prose = readFileSync(path, 'utf8').replace(/```[\s\S]*?```/g, '');
    return prose.split(/\n{2,}/).map((text) => ({ group, text: text.replaceAll('\n', ' ') }));
  });
}

function readLocomo(): Texts {
  if (!existsSync(LOCOMO)) return [];
  const talks = JSON.parse(readFileSync(LOCOMO, 'utf8')) as { conversation: Record<string, unknown> }[];
  return talks.flatMap(({ conversation }, talk) =>
    Object.entries(conversation).flatMap(([name, turns]) =>
      /^session_\d+$/.test(name) && Array.isArray(turns)
        ? (turns as { speaker: string; text: string }[]).map(({ speaker, text }) => ({
            group: `${talk} ${speaker}`,
            text,
          }))
        : [],
    ),
  );
}

/** The same sentence with another number, or denied: its author would call it wrong. */
function* distort(text: string): Generator<string> {
  if (/\b\d{2,5}\b/.test(text)) yield text.replace(/\b\d{2,5}\b/, (number) => String(Number(number) * 3 + 1));
  if (/\bis\b(?! not)/.test(text)) yield text.replace(/\bis\b/, 'is not');
  else if (/\bsupports\b/.test(text)) yield text.replace(/\bsupports\b/, 'does not support');
  else if (/\bare\b(?! not)/.test(text)) yield text.replace(/\bare\b/, 'are not');
}

function distortAll(texts: Texts): LabelledPair[] {
  const sentences = [...new Set(texts.flatMap(({ text }) => parseStatements(text).map((one) => one.text)))];
  return sentences.flatMap((a) => [...distort(a)].map((b) => ({ a, b, contradict: true })));
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : (part / whole).toFixed(2));

function measureStrangers([name, texts]: readonly [string, Texts]): string {
  const { compared, pairs } = countIn(texts);
  if (options.verbose) for (const pair of pairs) console.log(`${name}: ${pair.join('  |  ')}`);
  const made = distortAll(texts);
  const found = made.filter(isFound).length;
  const cells = [texts.length, made.length, found, compared, pairs.length].map((n) => n.toLocaleString('en'));
  return `| ${name} | ${cells.join(' | ')} | ${share(found, found + pairs.length)} | ${share(found, made.length)} |`;
}

const strangers = [
  ['documentation of packages', readDocuments()],
  ['LoCoMo, what each of twenty people says over months', readLocomo()],
] as const;

const report = `# Contradictions

How well \`ltm conflicts\` tells contradictions from what can both hold, at its default confidence of ${THRESHOLD}. Written by \`node evals/conflicts.ts\`.

## Labelled pairs

Written for this purpose by the same hand as the rules.

| pairs | contradictions | found | precision | recall |
|---:|---:|---:|---:|---:|
| ${measure(TUNING)} |

## Strangers' words

Nobody who wrote these had the rules in mind. The chats were looked at once, and one verb (“keep”) was taken out for them; the documentation was not looked at. The contradictions are sentences of theirs beside the same sentence with another number, or denied. Whatever is reported of two sentences that one author did write about the same subject counts as a false alarm, which is hard on the rules: people do change their minds over months.

| source | texts | made contradictions | found | pairs of one subject compared | reported | precision | recall |
|---|---:|---:|---:|---:|---:|---:|---:|
${strangers.map(measureStrangers).join('\n')}
`;
writeFileSync(join(import.meta.dirname, 'results', 'conflicts.md'), report);
console.log(report);
