// node evals/conflicts.ts [--verbose]: how well contradictions are told from what can both hold, on labelled pairs, and how many are found in chats and notes of others. Writes evals/results/conflicts.md.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { judgeStatements } from '../src/features/truth/judge-statements.ts';
import { parseStatements } from '../src/features/truth/parse-statements.ts';
import { type LabelledPair, TUNING, TUNING_ELSEWHERE } from './conflicts/pairs.ts';

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

const NAMES: Readonly<Record<string, string>> = {
  de: 'German',
  fr: 'French',
  es: 'Spanish',
  pt: 'Portuguese',
  ja: 'Japanese',
  zh: 'Chinese',
};

/** What translators have written of one system: one truth, whichever page it stands on. */
function readTranslations(language: string): Texts {
  const file = join(import.meta.dirname, 'conflicts', 'translations.json.gz');
  const { texts } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    texts: { language: string; text: string }[];
  };
  return texts.filter((one) => one.language === language).map(({ text }) => ({ group: language, text }));
}

/** How a language denies, one of these for each sentence: the first that fits. */
const DENIALS: Readonly<Record<string, readonly (readonly [RegExp, string])[]>> = {
  en: [
    [/\bis\b(?! not)/, 'is not'],
    [/\bsupports\b/, 'does not support'],
    [/\bare\b(?! not)/, 'are not'],
  ],
  de: [
    [/\bist\b(?! (?:nicht|kein))/, 'ist nicht'],
    [/\bsind\b(?! (?:nicht|kein))/, 'sind nicht'],
    [/\bunterstützt\b(?! (?:nicht|kein))/, 'unterstützt nicht'],
  ],
  fr: [
    [/(?<!n['’])\best\b(?! pas)/, "n'est pas"],
    [/(?<!ne )\bsont\b(?! pas)/, 'ne sont pas'],
    [/(?<!ne )\bpermet\b(?! pas)/, 'ne permet pas'],
  ],
  es: [[/(?<!no )\b(es|son|está|están|permite|tiene)(?= )/, 'no $1']],
  pt: [[/(?<!não )(?<![\p{L}])(é|são|está|estão|permite|tem)(?= )/u, 'não $1']],
  ja: [
    [/です(?=[。]?$)/, 'ではありません'],
    [/します(?=[。]?$)/, 'しません'],
    [/れます(?=[。]?$)/, 'れません'],
    [/できます(?=[。]?$)/, 'できません'],
    [/しています(?=[。]?$)/, 'していません'],
    [/あります(?=[。]?$)/, 'ありません'],
  ],
  zh: [[/(?<![不但还只就于可])(是|支持|需要|使用|允许|包含)/, '不$1']],
};

/** The same sentence with another number, or denied: its author would call it wrong. */
function* distort(text: string, language: string): Generator<string> {
  const number = language === 'ja' || language === 'zh' ? /(?<![\d.])\d{2,5}(?![\d.])/ : /\b\d{2,5}\b/;
  if (number.test(text)) yield text.replace(number, (found) => String(Number(found) * 3 + 1));
  const [pattern, denied] = DENIALS[language]!.find(([sign]) => sign.test(text)) ?? [];
  if (pattern !== undefined && denied !== undefined) yield text.replace(pattern, denied);
}

function distortAll(texts: Texts, language: string): LabelledPair[] {
  const sentences = [...new Set(texts.flatMap(({ text }) => parseStatements(text).map((one) => one.text)))];
  return sentences.flatMap((a) => [...distort(a, language)].map((b) => ({ a, b, contradict: true })));
}

const share = (part: number, whole: number): string => (whole === 0 ? '–' : (part / whole).toFixed(2));

function measureStrangers([name, texts, language = 'en']: readonly [string, Texts, string?]): string {
  const { compared, pairs } = countIn(texts);
  if (options.verbose) for (const pair of pairs) console.log(`${name}: ${pair.join('  |  ')}`);
  const made = distortAll(texts, language);
  const found = made.filter(isFound).length;
  const cells = [texts.length, made.length, found, compared, pairs.length].map((n) => n.toLocaleString('en'));
  return `| ${name} | ${cells.join(' | ')} | ${share(found, found + pairs.length)} | ${share(found, made.length)} |`;
}

const strangers = [
  ['documentation of packages', readDocuments()],
  ['LoCoMo, what each of twenty people says over months', readLocomo()],
  ...Object.entries(NAMES).map(([code, name]): [string, Texts, string] => [
    `documentation of Kubernetes in ${name}`,
    readTranslations(code),
    code,
  ]),
] as const;

const report = `# Contradictions

How well \`ltm conflicts\` tells contradictions from what can both hold, at its default confidence of ${THRESHOLD}. Written by \`node evals/conflicts.ts\`.

## Labelled pairs

Written for this purpose by the same hand as the rules.

| language | pairs | contradictions | found | precision | recall |
|---|---:|---:|---:|---:|---:|
| English | ${measure(TUNING)} |
${Object.entries(TUNING_ELSEWHERE)
  .map(([code, pairs]) => `| ${NAMES[code]} | ${measure(pairs)} |`)
  .join('\n')}

## Strangers' words

Nobody who wrote these had the rules in mind. The chats were looked at once, and one verb (“keep”) was taken out for them; the documentation, be it of packages or of Kubernetes, was not looked at. The contradictions are sentences of theirs beside the same sentence with another number, or denied. Whatever is reported of two sentences that one author did write about the same subject counts as a false alarm, which is hard on the rules: people do change their minds over months, and the pages of a documentation speak of different things by one name.

| source | texts | made contradictions | found | pairs of one subject compared | reported | precision | recall |
|---|---:|---:|---:|---:|---:|---:|---:|
${strangers.map(measureStrangers).join('\n')}
`;
writeFileSync(join(import.meta.dirname, 'results', 'conflicts.md'), report);
console.log(report);
