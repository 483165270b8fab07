import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { computeNames } from './compute-names.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The text without what the formatter may change. */
function plain(text: string): string {
  return text.replaceAll(/\s+|,(?=\s*[}\]])/g, '');
}

test('the names of verbs and commands are those that the features declare', async () => {
  for (const [path, text] of Object.entries(await computeNames(ROOT)))
    assert.equal(
      plain(readFileSync(join(ROOT, path), 'utf8')),
      plain(text),
      `${path} is not what \`node scripts/precompute-features.ts\` writes.`,
    );
});
