import { replaceSecrets } from '../../src/privacy/replace-secrets.ts';
import type { Sample } from './positives.ts';

export interface Recall {
  kind: string;
  samples: number;
  found: number;
  /** Texts of those that were missed, for whoever mends the rule. */
  missed: string[];
}

/** Found means: after the replacement nothing is left of the secret, neither its beginning nor its end. */
export function measureRecall(samples: readonly Sample[]): Recall[] {
  const byKind = new Map<string, Recall>();
  for (const { kind, text, secret } of samples) {
    const recall = byKind.get(kind) ?? { kind, samples: 0, found: 0, missed: [] };
    byKind.set(kind, recall);
    const left = replaceSecrets(text).text;
    const value = secret.replace(/^\W?[A-Za-z_]{3,16}=/, '');
    const parts = [value, JSON.stringify(value).slice(1, -1)].flatMap((form) => [form.slice(0, 12), form.slice(-12)]);
    recall.samples++;
    if (parts.some((part) => left.includes(part))) recall.missed.push(text);
    else recall.found++;
  }
  return [...byKind.values()];
}

/** Texts without a secret in which something was replaced all the same. */
export function findFalseHits(samples: readonly Sample[]): Sample[] {
  return samples.filter(({ text }) => replaceSecrets(text).text !== text);
}

export function sum(list: readonly Recall[], key: 'samples' | 'found'): number {
  return list.reduce((total, recall) => total + recall[key], 0);
}
