import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findSecrets, listRules } from '../../src/privacy/find-secrets.ts';
import { PROSE_RULES } from '../../src/privacy/prose-rules.ts';

const ROOT = join(import.meta.dirname, '../..');
const SHARED = join(ROOT, '../shared');

/** Texts that people wrote, where the machine has them. Nothing of it is part of the project. */
export const PLACES = {
  /** Conversations, messages of commits, fiction. */
  prose: [join(SHARED, 'data/locomo/locomo10.json'), join(SHARED, 'embedder/pairs.tsv.xz')],
  documents: [
    join(ROOT, 'node_modules/**/*.md'),
    '/usr/share/doc/**/*',
    '/usr/share/common-licenses/*',
    '/usr/share/man/**/*.gz',
    '/usr/share/perl/**/*.pod',
  ],
  code: [
    join(ROOT, 'node_modules/**/*.{js,mjs,cjs,ts,json}'),
    '/usr/lib/python3*/**/*.py',
    '/usr/share/{perl,perl5}/**/*.{pl,pm}',
    '/usr/lib/**/*.{rb,sh,pm,tcl}',
    '/usr/include/**/*.{h,hpp}',
    '/usr/share/**/*.{sh,vim,php,js,xml,yaml,yml,conf}',
    '/etc/**/*',
  ],
  /** What every machine with the project has, quick to list. */
  nearProse: [join(ROOT, 'node_modules/*/*.md')],
  nearCode: [join(ROOT, 'node_modules/*/{lib,dist,src,bin}/*.{js,mjs,cjs,ts}')],
};
/** A file of many texts is read in pieces of this size, each with a path of its own. */
const PIECE = 1 << 20;

/** tuning: hits were read while the rules were written. heldOut: hits are only counted. */
export type Half = 'tuning' | 'heldOut';

export interface RealText {
  path: string;
  text: string;
}

function halfOf(path: string): Half {
  return createHash('sha256').update(path.replace(ROOT, '')).digest()[0]! % 2 === 0 ? 'tuning' : 'heldOut';
}

function readBytes(path: string): Buffer {
  const bytes = readFileSync(path);
  if (path.endsWith('.gz')) return gunzipSync(bytes);
  return path.endsWith('.xz') ? execFileSync('xz', ['-dc', path], { maxBuffer: 1 << 30 }) : bytes;
}

/** The half of what the machine has of a kind, until there is enough of it; the order is that of the hashes, so that each source has its share. */
export function* readReal(kind: keyof typeof PLACES, half: Half, mostBytes: number): Generator<RealText> {
  const paths = [...new Set(PLACES[kind].flatMap((place) => globSync(place)))];
  const order = (path: string): string => createHash('sha1').update(path.replace(ROOT, '')).digest('hex');
  let bytes = 0;
  for (const path of paths.toSorted((a, b) => order(a).localeCompare(order(b)))) {
    for (const piece of readPieces(path, half)) {
      yield piece;
      bytes += Buffer.byteLength(piece.text);
      if (bytes >= mostBytes) return;
    }
  }
}

function* readPieces(path: string, half: Half): Generator<RealText> {
  if (!existsSync(path) || !statSync(path).isFile()) return;
  const isLarge = statSync(path).size > PIECE;
  if (!isLarge && halfOf(path) !== half) return;
  const text = readBytes(path).toString('utf8');
  // What is no text, and pages in an encoding of before UTF-8.
  if (text.includes('\0') || (!isLarge && text.includes('\ufffd'))) return;
  if (!isLarge) yield { path, text };
  else
    for (let at = 0; at < text.length; at += PIECE)
      if (halfOf(`${path}#${at}`) === half) yield { path: `${path}#${at}`, text: text.slice(at, at + PIECE) };
}

export interface RealFigures {
  bytes: number;
  seconds: number;
  /** Replacements that a reader would call false. */
  replaced: { kind: string; path: string; around: string }[];
  /** Replacements in credentials of URLs and command lines: in documents these are samples, and nothing tells a sample from the real thing. */
  samples: { kind: string; path: string; around: string }[];
  /** Of the replacements, those by a rule for sentences. */
  inSentences: number;
  flagged: number;
}

const SAMPLES = new Set(['database-url', 'url-password', 'curl-password', 'private-key']);

export function measureReal(texts: Iterable<RealText>): RealFigures {
  const figures: RealFigures = { bytes: 0, seconds: 0, replaced: [], samples: [], inSentences: 0, flagged: 0 };
  for (const { path, text } of texts) {
    const start = process.cpuUsage();
    const findings = findSecrets(text);
    figures.seconds += process.cpuUsage(start).user / 1e6;
    figures.bytes += Buffer.byteLength(text);
    for (const { kind, mode, pattern, start: from, end } of findings) {
      if (mode === 'flag') figures.flagged++;
      if (mode !== 'redact') continue;
      if (PROSE_RULES.includes(listRules()[pattern]!)) figures.inSentences++;
      const list = SAMPLES.has(kind) ? figures.samples : figures.replaced;
      list.push({
        kind,
        path,
        around: `${text.slice(Math.max(0, from - 60), from)}⟦${text.slice(from, end)}⟧${text.slice(end, end + 20)}`,
      });
    }
  }
  return figures;
}
