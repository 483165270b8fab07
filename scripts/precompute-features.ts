// Writes src/features/early.ts, names.ts, verb-table.ts, command-table.ts and answers.ts, and src/compat/command-table.ts: which feature has which verb and command, and all of them and their answers in the order of the documents. Run it after a change of a feature's verbs, commands or answers; a test compares.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { computeNames } from '../test/features/compute-names.ts';

const { values } = parseArgs({ options: { tree: { type: 'string', default: join(import.meta.dirname, '..') } } });
for (const [path, text] of Object.entries(await computeNames(values.tree))) {
  if (!existsSync(join(values.tree, 'src/features'))) throw new Error(`${values.tree} is no tree of the project.`);
  writeFileSync(join(values.tree, path), text);
}
