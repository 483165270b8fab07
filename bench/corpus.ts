import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Corpus {
  passages: string[];
  questions: string[];
}

const ROOT = join(import.meta.dirname, '..');
export const DEFAULT_DATA = join(ROOT, '../shared');
const PASSAGE_CHARS = 450;
/** A passage is closed once it is so long; the text that closes it brings it to PASSAGE_CHARS on average. */
const CLOSE_AT = 350;
/** Prose first; the shorter kinds only where more passages are wanted than it gives. */
const KINDS = [new Set(['dialog', 'docs', 'qa', 'dialog-qa']), new Set(['fiction', 'commit', 'dialog-task'])];
const QUESTION_KINDS = new Set(['dialog-qa', 'qa']);

/**
 * Passages of about 450 characters and questions, from `embedder/pairs.tsv.xz` (query, passage and kind, tab-separated) and LoCoMo's questions.
 * Where the file has too little, halves of two passages are joined: no two are alike, the words stay real. Throws where the data or `xz` is absent.
 */
export function readCorpus(dataFolder: string, count: number): Corpus {
  const rows = readPairs(join(dataFolder, 'embedder/pairs.tsv.xz'));
  const random = seeded(7);
  let passages: string[] = [];
  for (const kinds of KINDS) {
    if (passages.length < count)
      passages = passages.concat(shuffle(joinTexts(rows.filter(([, , kind]) => kinds.has(kind!))), random));
  }
  const real = passages.length;
  while (passages.length < count)
    passages.push(
      joinHalves(passages[Math.floor(random() * real)]!, passages[Math.floor(random() * real)]!, passages.length),
    );
  const asked = rows.filter(([, , kind]) => QUESTION_KINDS.has(kind!)).map(([question]) => question!);
  const questions = shuffle([...shuffle(asked, random).slice(0, 2000), ...readLocomoQuestions(dataFolder)], random);
  return { passages: passages.slice(0, count), questions };
}

function readPairs(file: string): string[][] {
  if (!existsSync(file))
    throw new Error(
      `No text to search: ${file} does not exist. Name the folder that holds embedder/pairs.tsv.xz with --data.`,
    );
  const { stdout, error, status } = spawnSync('xz', ['-dc', file], { maxBuffer: 2 ** 30 });
  if (error !== undefined || status !== 0)
    throw new Error(`${file} could not be unpacked: the bench needs the program \`xz\`. ${error?.message ?? ''}`);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

/** A query is kept with its passage, so that what stood together in its source stands together here. */
function joinTexts(rows: readonly string[][]): string[] {
  const passages: string[] = [];
  let open = '';
  for (const [query, passage] of rows) {
    for (const text of [query!, passage!]) {
      if (open.endsWith(text)) continue;
      open = open === '' ? text : `${open}\n${text}`;
      if (open.length < CLOSE_AT) continue;
      passages.push(open.slice(0, 2 * PASSAGE_CHARS));
      open = '';
    }
  }
  return passages;
}

function joinHalves(a: string, b: string, number: number): string {
  return `${a.slice(0, PASSAGE_CHARS / 2)} ticket-${number} ${b.slice(PASSAGE_CHARS / 2)}`;
}

function readLocomoQuestions(dataFolder: string): string[] {
  const file = join(dataFolder, 'data/locomo/locomo.eval.json.gz');
  if (!existsSync(file)) return [];
  const chats = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as { questions: { q: string }[] }[];
  return chats.flatMap(({ questions }) => questions.map(({ q }) => q));
}

function shuffle<T>(list: T[], random: () => number): T[] {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list;
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
