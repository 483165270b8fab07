import { replaceSecrets } from '../../src/privacy/replace-secrets.ts';
import type { Sample } from './positives.ts';

export interface Recall {
  kind: string;
  samples: number;
  found: number;
  /** Of those found: nothing else was replaced with it. */
  exact: number;
  /** Texts of those that were missed, for whoever mends the rule. */
  missed: string[];
}

const MARKER = /\[redacted:[\w-]+\]/g;
/** The share of a secret that may not be left in one piece, and the longest piece that is looked for. */
const PIECE = 0.6;
const LONGEST_PIECE = 24;

/** Found means: after the replacement no piece is left of more than half of the secret. */
export function measureRecall(samples: readonly Sample[]): Recall[] {
  const byKind = new Map<string, Recall>();
  for (const { kind, text, secret } of samples) {
    const recall = byKind.get(kind) ?? { kind, samples: 0, found: 0, exact: 0, missed: [] };
    byKind.set(kind, recall);
    const left = replaceSecrets(text).text.replace(MARKER, '\0');
    const value = secret.replace(/^\W?[A-Za-z_]{3,16}=/, '');
    recall.samples++;
    if ([value, JSON.stringify(value).slice(1, -1)].some((form) => isLeft(form, left))) recall.missed.push(text);
    else {
      recall.found++;
      if (left.replaceAll('\0', '') === text.replaceAll(value, '')) recall.exact++;
    }
  }
  return [...byKind.values()];
}

function isLeft(secret: string, text: string): boolean {
  const length = Math.min(LONGEST_PIECE, Math.max(Math.min(5, secret.length), Math.ceil(secret.length * PIECE)));
  for (let at = 0; at + length <= secret.length; at++) if (text.includes(secret.slice(at, at + length))) return true;
  return false;
}

/** Texts without a secret in which something was replaced all the same. */
export function findFalseHits(samples: readonly Sample[]): Sample[] {
  return samples.filter(({ text }) => replaceSecrets(text).text !== text);
}

export function sum(list: readonly Recall[], key: 'samples' | 'found' | 'exact'): number {
  return list.reduce((total, recall) => total + recall[key], 0);
}
