import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { computeNames } from './compute-names.ts';
import { format } from './format.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('the names of verbs and commands are those that the features declare', async () => {
  for (const [path, text] of Object.entries(await computeNames(ROOT)))
    assert.equal(
      format(readFileSync(join(ROOT, path), 'utf8')),
      format(text),
      `${path} is not what \`node scripts/precompute-features.ts\` writes.`,
    );
});
