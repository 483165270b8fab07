import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { seeded } from '../../bench/corpus.ts';
import type { EngineSettings } from '../../src/engine/engine.ts';

export const NOW = Date.UTC(2026, 5, 15, 12);
const DAY = 86_400_000;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type Record = ReturnType<typeof makeRecord>;

/** A store to be asked: records of each space, in the batches in which they are stored, and who embeds them. */
export interface World {
  name: string;
  spaces: Map<string, Record[][]>;
  /** 'hash': the dimensions of vectors made from the words. */
  embedder: 'bundled' | { dimensions: number } | null;
  settings: Partial<EngineSettings>;
  /** Questions with which the text came. */
  asked: { space: string; query: string }[];
}

/** Numbers that are the same in every run. */
export class Dice {
  #random: () => number;
  constructor(seed: number) {
    this.#random = seeded(seed);
  }
  below(sides: number): number {
    return Math.floor(this.#random() * sides);
  }
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  /** Small numbers are more likely, as with the words of a language. */
  skewed(sides: number): number {
    return Math.floor(sides * this.#random() ** 3);
  }
}

export function makeId(at: number, number: number): string {
  let [id, rest] = ['', number];
  for (let i = 0; i < 10; i++, rest = Math.floor(rest / 32)) id = ALPHABET[rest % 32] + id;
  for (let i = 0, time = at; i < 10; i++, time = Math.floor(time / 32)) id = ALPHABET[time % 32] + id;
  return id;
}

type Labels = { [Name in 'project' | 'agent' | 'session' | 'conversation']?: string | null } & {
  type?: string;
  tags?: string[];
  [field: string]: unknown;
};

/** As an export writes it. */
export function makeRecord(number: number, content: string, more: Labels = {}) {
  const at = NOW - 200 * DAY + number * 60_000;
  const labels = { key: null, title: null, project: null, agent: null, session: null, conversation: null };
  const times = {
    createdAt: at,
    updatedAt: at,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
    deletedAt: null,
  };
  const source = { door: 'import', userId: 'owner' };
  const facts = {
    kind: 'memory',
    revision: 1,
    type: 'note',
    tags: [] as string[],
    trust: 'user',
    quality: 0.5,
    source,
    body: {},
  };
  const contentHash = createHash('sha256').update(content.trim().toLowerCase()).digest('hex');
  return { ...labels, ...times, ...facts, ...more, id: makeId(at, number), content, contentHash };
}

interface Chat {
  conv: string;
  names: string[];
  items: { text: string; s: number }[];
  questions: { q: string }[];
}

/** Conversations and projects with real questions; LoCoMo where it lies beside the project. */
export function chatWorlds(root: string): World[] {
  const locomo = join(root, '../shared/data/locomo/locomo.eval.json.gz');
  const files = [...(existsSync(locomo) ? [locomo] : []), ...globSync(join(root, 'evals/data/*.json.gz')).sort()];
  return files.map((file) => {
    const chats = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as Chat[];
    const spaces = chats.map(({ conv, names, items }): [string, Record[][]] => {
      const labels = (s: number) =>
        names.length > 0 ? { conversation: conv, session: `${conv}-${s}` } : { project: conv };
      const records = items.map(({ text, s }, i) => makeRecord(i, text, labels(s)));
      return [conv, [records]];
    });
    const asked = chats.flatMap(({ conv, questions }) => questions.map(({ q }) => ({ space: conv, query: q })));
    const settings = { flushPassages: 300 };
    return { name: basename(file, '.json.gz'), spaces: new Map(spaces), embedder: 'bundled', settings, asked };
  });
}

const STOP = 'the of what in is to and a for was on it'.split(' ');
const ODD = [
  'getUserById',
  'src/auth/login.ts',
  'ECONNRESET',
  'C++',
  'Zürich',
  '認証エラー',
  'v2.14.3',
  'yesterday',
  'monday',
  'python',
];
const NAMES = ['Maya', 'Theo', 'User', 'Assistant'];

/** Words that look like words. The first ones are common, the last ones rare. */
export function makeWords(count: number): string[] {
  const dice = new Dice(11);
  const syllables = 'ba ko ri lu men tar fis dol ver gan pli sto hem nor ula wek jas mon tir eb'.split(' ');
  const words = new Set<string>();
  while (words.size < count) words.add(Array.from({ length: 2 + dice.below(3) }, () => dice.pick(syllables)).join(''));
  return [...words];
}

export function makeText(words: readonly string[], dice: Dice, length: number): string {
  const word = () => {
    const kind = dice.below(20);
    return kind === 0 ? dice.pick(ODD) : kind < 8 ? dice.pick(STOP) : words[dice.skewed(words.length)]!;
  };
  return Array.from({ length }, word).join(' ');
}

interface Size {
  name: string;
  records: number;
  spaces?: number;
  batches?: number;
  /** Whether some records are turns of a conversation. */
  turns?: boolean;
}

/** Text made up, with every label there is. */
export function madeUpWorld(
  { name, records, spaces = 1, batches = 1, turns = true }: Size,
  rest: Pick<World, 'embedder' | 'settings'>,
): World {
  const dice = new Dice(records);
  const words = makeWords(2000);
  const made = Array.from({ length: spaces }, (_, s): [string, Record[][]] => {
    const all = Array.from({ length: Math.ceil(records / spaces) }, (_, i) => makeLabelled(i, { words, dice, turns }));
    const size = Math.ceil(all.length / batches);
    return [`${name}-${s}`, Array.from({ length: batches }, (_, b) => all.slice(b * size, (b + 1) * size))];
  });
  return { name, spaces: new Map(made), ...rest, asked: [] };
}

function makeLabelled(number: number, { words, dice, turns }: { words: string[]; dice: Dice; turns: boolean }): Record {
  const length = dice.below(12) === 0 ? 150 + dice.below(500) : 3 + dice.below(40);
  const isTurn = turns && dice.below(6) === 0;
  const text = makeText(words, dice, length);
  const at = NOW - dice.below(400 * 24) * 3_600_000 - number;
  return makeRecord(number, isTurn ? `${dice.pick(NAMES)}: ${text}` : text, {
    type: dice.pick(['note', 'decision', 'observation']),
    tags: [...new Set([dice.pick(words.slice(0, 9)), dice.pick(['red', 'green'])])].slice(dice.below(3)),
    project: dice.pick([null, 'alpha', 'beta']),
    agent: dice.pick([null, 'claude', 'codex']),
    session: isTurn ? `s${dice.below(5)}` : null,
    conversation: isTurn ? `c${dice.below(3)}` : null,
    trust: dice.pick(['user', 'user', 'untrusted']),
    quality: dice.below(11) / 10,
    createdAt: at,
    updatedAt: at + dice.below(30) * DAY,
    validUntil: dice.below(25) === 0 ? at + 200 * DAY : null,
    supersededBy: dice.below(40) === 0 ? makeId(NOW, 0) : null,
  });
}
