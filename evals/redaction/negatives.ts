import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import type { Sample } from './positives.ts';
import { samplePattern } from './sample-pattern.ts';

const ROOT = join(import.meta.dirname, '../..');
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const SHA = '[0-9a-f]{40}';
const BASE64 = '[A-Za-z0-9+/]';

/** Looks like a secret, is none: [what, pattern of the text]. */
const PATTERNS: readonly (readonly [kind: string, pattern: string])[] = [
  ['uuid', `(?:id|requestId|trace): ${UUID}`],
  ['uuid', `\\{"id":"${UUID}","name":"item"\\}`],
  ['uuid', `GET /v1/items/${UUID}/parts 200`],
  ['git sha', `commit ${SHA}\\nAuthor: A\\n`],
  ['git sha', 'index [0-9a-f]{7}\\.\\.[0-9a-f]{7} 100644'],
  ['git sha', `uses: actions/checkout@${SHA}`],
  ['lock file', `"integrity": "sha512-${BASE64}{86}=="`],
  ['lock file', `hash = "sha256:[0-9a-f]{64}"`],
  ['lock file', `github\\.com/a/b v1\\.2\\.3 h1:${BASE64}{43}=`],
  ['lock file', `checksum = "[0-9a-f]{64}"`],
  ['image', `data:image/png;base64,iVBORw0KGgo${BASE64}{400}=`],
  ['image', `<img src="data:image/jpeg;base64,/9j/${BASE64}{600}">`],
  ['cache', '(?:key|cache_key|etag|keys): [a-z]{4,8}:[0-9]{4,8}:[a-z]{4,8}'],
  ['counter', '(?:max_tokens|token_count|password_length|tokens): [0-9]{2,6}'],
  ['time', '(?:token_expires_at|password_changed_at|secret_date): 2026-0[1-9]-1[0-9]T10:00:00Z'],
  ['code', '(?:password|token|secret|apiKey) = (?:get|read|find)[A-Z][a-z]{4,8}\\((?:user|name)\\);'],
  [
    'code',
    '(?:password|token|secret|apiKey): (?:string|str|this\\.[a-z]{4,8}|req\\.body\\.password|process\\.env\\.[A-Z]{4,8}_[A-Z]{4,8}|settings\\.[a-z]{4,8}Token)[,;]',
  ],
  ['code', 'import \\{ [a-z]{4,8}Password[A-Z][a-z]{3,6} \\} from "\\./[a-z]{4,8}/[a-z]{4,8}\\.ts";'],
  ['form', '(?:Password|Token|Secret|API key): (?:required|optional|none|unset|hidden|enabled)'],
  [
    'placeholder',
    '(?:password|api_key|TOKEN|client_secret)(?:=|: |": ")(?:<[a-z]{4,8}-[a-z]{4,8}>|\\$\\{[A-Z_]{4,12}\\}|\\$[A-Z]{4,12}|x{16}|X{20}|\\*{8}|your-[a-z]{3,6}-key-here|changeme|CHANGE_ME_1|example-key-1234|\\{\\{ [a-z]{4,8} \\}\\}|\\.\\.\\.|null|undefined|REDACTED|placeholder1)',
  ],
  ['placeholder', '(?:sk-|hf_|npm_|xai-|glpat-)(?:x{20}|\\.\\.\\.|<your-token>|\\*{12})'],
  ['publishable', 'pk_(?:live|test)_[A-Za-z0-9]{24}'],
  ['version', '[a-z]{4,8}@[0-9]\\.[0-9]{1,2}\\.[0-9]{1,2}-beta\\.[0-9]'],
  ['url', 'https://(?:docs|api)\\.example\\.com:8443/[a-z]{4,8}/[a-z]{4,8}#[a-z]{4,8}@[a-z]{3}'],
  ['colour', '#[0-9a-f]{6}; color: #[0-9a-f]{3}'],
  ['identifier', '[a-z]{4,8}_[a-z]{4,8}_[a-z]{4,8}_[0-9]{1,3}'],
];

export function sampleNegatives(count: number, random: Random): Sample[] {
  const drawn = Array.from({ length: count }, (_, i) => {
    const [kind, pattern] = PATTERNS[i % PATTERNS.length]!;
    return { kind, text: samplePattern(pattern, random), secret: '' };
  });
  return [...drawn, ...pieces('minified code', readMinified(), 600), ...pieces('lock file', readLockFile(), 400)];
}

/** Real text, cut into pieces of 2,000 characters. */
function pieces(kind: string, text: string, most: number): Sample[] {
  const count = Math.min(most, Math.floor(text.length / 2000));
  return Array.from({ length: count }, (_, i) => ({ kind, text: text.slice(i * 2000, (i + 1) * 2000), secret: '' }));
}

function readMinified(): string {
  return globSync(
    ['@electric-sql/pglite/dist/*.js', 'playwright-core/lib/vite/*/assets/*.js', '*/dist/*.min.js'].map((path) =>
      join(ROOT, 'node_modules', path),
    ),
  )
    .sort()
    .slice(0, 40)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

function readLockFile(): string {
  const path = join(ROOT, 'package-lock.json');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
