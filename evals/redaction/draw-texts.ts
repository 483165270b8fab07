import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import type { Sample } from './positives.ts';
import { samplePattern } from './sample-pattern.ts';

/** Half of the corpus: texts with a slot for the secret, and the shapes of what goes into it. */
export interface Texts {
  /** Patterns of passwords as people and generators make them; `{word}` draws a word of `words`. */
  passwords: readonly string[];
  /** Words that are passwords by themselves. */
  plainWords: readonly string[];
  words: readonly string[];
  /** Passwords given to a name, in files, commands and headers. */
  assigned: readonly string[];
  /** Sentences and chat, by language. */
  prose: Record<string, readonly string[]>;
  /** Formats of tokens: [kind, pattern]. */
  tokens: readonly (readonly [kind: string, pattern: string])[];
  /** Where tokens are met, with `{token}`. */
  places: readonly string[];
  /** What is done to a token before it is put there. */
  disguises: Record<string, (token: string, random: Random) => string>;
}

const FILLINGS: Record<string, readonly string[]> = {
  user: ['admin', 'root', 'app', 'deploy', 'robin', 'svc_backup', 'postgres'],
  host: ['db.internal', '10.0.3.7', 'db-01.prod.test', 'localhost', 'mail.firma.test', 'cache'],
  db: ['app', 'orders', 'analytics'],
};

/** Slots of a secret. `pw` any password without blanks, `word` a plain word, `phrase` words with blanks, `url` a password escaped for a URL, `b64` one in Base64, `key` what a generator makes, `digits` a PIN. */
const SECRET_SLOT = /\{(pw|word|phrase|url|b64|key|digits|code|totp)\}/;

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

function drawPassword(texts: Texts, random: Random): string {
  return samplePattern(pick(texts.passwords, random), random).replace(/W([a-z]*)W/g, (_, form) => {
    const word = pick(texts.words, random);
    return form === 'c' ? word[0]!.toUpperCase() + word.slice(1) : word;
  });
}

function drawSecret(slot: string, texts: Texts, random: Random): string {
  switch (slot) {
    case 'word':
      return pick(texts.plainWords, random);
    case 'phrase':
      return Array.from({ length: 4 + Math.floor(random() * 2) }, () => pick(texts.words, random)).join(' ');
    case 'url':
      return encodeURIComponent(drawPassword(texts, random));
    case 'b64':
      return Buffer.from(drawPassword(texts, random)).toString('base64');
    case 'key':
      return samplePattern(
        pick(['[A-Za-z0-9]{24}', '[0-9a-f]{40}', '[A-Za-z0-9_-]{32}', '[A-Za-z0-9+/]{43}='], random),
        random,
      );
    case 'digits':
      return samplePattern('[0-9]{6}', random);
    case 'code':
      return samplePattern(
        pick(['[a-z0-9]{5}-[a-z0-9]{5}', '[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}', '[0-9]{4} [0-9]{4}'], random),
        random,
      );
    case 'totp':
      return samplePattern('[A-Z2-7]{32}', random);
    default:
      return drawPassword(texts, random);
  }
}

/** The text with its slots filled, and what was put into the slot of the secret. */
export function fillText(kind: string, text: string, texts: Texts, random: Random): Sample {
  const slot = SECRET_SLOT.exec(text)?.[1];
  if (slot === undefined) throw new Error(`no slot in ${text}`);
  const secret = drawSecret(slot, texts, random);
  const filled = text
    .replace(/\{(user|host|db)\}/g, (_, name: string) => pick(FILLINGS[name]!, random))
    .replaceAll(`{${slot}}`, () => secret);
  return { kind, text: filled, secret };
}

export function drawAssigned(texts: Texts, count: number, random: Random): Sample[] {
  return texts.assigned.flatMap((text, i) =>
    Array.from({ length: count }, () => fillText(`assigned ${i}`, text, texts, random)),
  );
}

export function drawProse(texts: Texts, count: number, random: Random): Sample[] {
  return Object.entries(texts.prose).flatMap(([language, sentences]) =>
    sentences.flatMap((text) => Array.from({ length: count }, () => fillText(language, text, texts, random))),
  );
}

/** Each format in each disguise, in places that change. */
export function drawTokens(texts: Texts, random: Random): Sample[] {
  return texts.tokens.flatMap(([kind, pattern]) =>
    Object.entries(texts.disguises).map(([disguise, apply]) => {
      const secret = apply(samplePattern(pattern, random), random);
      return {
        kind: `${kind}, ${disguise}`,
        text: pick(texts.places, random).replaceAll('{token}', () => secret),
        secret,
      };
    }),
  );
}

/** Cuts a token in two somewhere in its inner part. */
export function splitBy(separators: readonly string[]): (token: string, random: Random) => string {
  return (token, random) => {
    const at = Math.floor(token.length * (0.3 + 0.4 * random()));
    return token.slice(0, at) + pick(separators, random) + token.slice(at);
  };
}
