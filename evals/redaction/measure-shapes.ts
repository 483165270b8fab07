import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import { makeKeys } from './make-keys.ts';
import { drawFrom, drawPassword, LETTERS, type Shapes } from './shapes.ts';

/** A text with a secret in a shape, and how its pieces would look if they were left in clear. */
export interface Planted {
  /** keys, passwords, tokens, placed */
  group: string;
  shape: string;
  text: string;
  secret: string;
  pieces: readonly string[];
}

/** Of a secret that is left in part, a piece of more than half tells too much; of keys, any sixteen characters. */
const KEY_PIECE = /[A-Za-z0-9]{16,}/g;

export function plantInShapes(shapes: Shapes, random: Random, { keys = 32, each = 25 } = {}): Planted[] {
  const draw = drawFrom(random);
  const planted: Planted[] = [];
  const made = makeKeys(keys);
  for (const [shape, show] of Object.entries(shapes.keys))
    for (const { kind, text: key, secret } of made) {
      const text = show(key);
      const pieces = secret.flatMap((line) => line.match(KEY_PIECE) ?? []).filter((piece) => text.includes(piece));
      planted.push({ group: 'keys', shape, text, secret: `${kind}: ${secret.join('')}`, pieces });
    }
  for (const [shape, show] of Object.entries(shapes.passwords))
    for (let i = 0; i < each; ) {
      const secret = drawPassword(random);
      const text = show(secret);
      if (text === null) continue;
      i++;
      planted.push({ group: 'passwords', shape, text, secret, pieces: piecesOf(secret, text) });
    }
  for (const [shape, show] of Object.entries(shapes.tokens))
    for (let i = 0; i < each; i++) {
      const secret = ['gh', 'p_', draw(36, LETTERS)].join('');
      planted.push({ group: 'tokens', shape, text: show(secret), secret, pieces: [secret.slice(4)] });
    }
  for (const [shape, show] of Object.entries(shapes.placed))
    for (let i = 0; i < each; i++) {
      const { secret, text } = show(draw);
      planted.push({ group: 'placed', shape, text, secret, pieces: piecesOf(secret, text) });
    }
  return planted;
}

/** More than half of it, in each way in which the text writes it. */
function piecesOf(secret: string, text: string): string[] {
  const json = (value: string): string => JSON.stringify(value).slice(1, -1);
  const forms = [
    secret,
    json(secret),
    json(json(secret)),
    json(json(json(secret))),
    json(json(json(json(secret)))),
    encodeURIComponent(secret),
  ];
  forms.push(
    secret.replaceAll("'", "''"),
    secret.replaceAll("'", `'\\''`),
    secret.replace(/[\\"$`]/g, '\\$&'),
    json(secret.replaceAll("'", `'\\''`)),
  );
  forms.push(
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    new URLSearchParams({ p: secret }).toString().slice(2),
  );
  return [...new Set(forms)]
    .filter((form) => text.includes(form))
    .flatMap((form) => cut(form, Math.max(5, Math.ceil(form.length * 0.5))));
}

function cut(text: string, length: number): string[] {
  return Array.from({ length: Math.max(1, text.length - length + 1) }, (_, at) => text.slice(at, at + length));
}

export function isLeft({ pieces }: Planted, text: string): boolean {
  return pieces.some((piece) => text.includes(piece));
}

export interface ShapeFigures {
  group: string;
  shape: string;
  planted: number;
  left: number;
  missed: string[];
}

export function countLeft(planted: readonly Planted[], change: (text: string) => string): ShapeFigures[] {
  const figures = new Map<string, ShapeFigures>();
  for (const one of planted) {
    const name = `${one.group}/${one.shape}`;
    const figure = figures.get(name) ?? { group: one.group, shape: one.shape, planted: 0, left: 0, missed: [] };
    figures.set(name, figure);
    figure.planted++;
    const changed = change(one.text);
    if (!isLeft(one, changed)) continue;
    figure.left++;
    figure.missed.push(`${one.secret}\n   ⇒ ${changed}`);
  }
  return [...figures.values()];
}
