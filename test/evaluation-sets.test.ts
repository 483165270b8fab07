import { ok } from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEvaluationFile } from '../src/features/evaluation/read-conversations.ts';

test('every file among the evaluation sets is one: the measurements read the whole folder', async () => {
  const files = globSync(join(import.meta.dirname, '../evals/data/*'));
  ok(files.length >= 5, `${files.length} files`);
  for (const file of files) ok((await readEvaluationFile(file)).conversations.length > 0, file);
});
