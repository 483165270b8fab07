import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findSecrets } from '../../src/privacy/find-secrets.ts';

/** Texts people wrote, where the machine has them: conversations, and the documents that come with a Debian system. Nothing of it is part of the project. */
const PLACES = [
  '/usr/share/doc/**/*',
  '/usr/share/common-licenses/*',
  '/usr/share/man/man?/*',
  '/usr/share/perl/**/*.pod',
];
const CONVERSATIONS = join(import.meta.dirname, '../../../shared/data/locomo/locomo10.json');

export interface ProseFigures {
  bytes: number;
  seconds: number;
  replaced: { kind: string; around: string }[];
  flagged: number;
}

export function readProse(mostBytes: number): string[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const path of [CONVERSATIONS, ...PLACES.flatMap((place) => globSync(place).sort())]) {
    if (bytes >= mostBytes) break;
    if (!existsSync(path) || !statSync(path).isFile()) continue;
    const content = readFileSync(path);
    const text = (path.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8');
    if (text.includes('\0')) continue;
    texts.push(text);
    bytes += Buffer.byteLength(text);
  }
  return texts;
}

export function measureProse(texts: readonly string[]): ProseFigures {
  const figures: ProseFigures = { bytes: 0, seconds: 0, replaced: [], flagged: 0 };
  for (const text of texts) {
    const start = process.cpuUsage();
    const findings = findSecrets(text);
    figures.seconds += process.cpuUsage(start).user / 1e6;
    figures.bytes += Buffer.byteLength(text);
    for (const { kind, mode, start: from, end } of findings) {
      if (mode === 'flag') figures.flagged++;
      if (mode === 'redact') figures.replaced.push({ kind, around: text.slice(Math.max(0, from - 40), end + 10) });
    }
  }
  return figures;
}
