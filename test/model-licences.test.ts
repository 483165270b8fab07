import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

/** In the order in which they are looked for: a text under two licences counts for the stricter one. */
const GROUPS: readonly [name: string, licence: RegExp][] = [
  ['GPL', /GPL/],
  ['share-alike', /-SA-|Sharing|GFDL/],
  ['weak copyleft', /MPL|CeCILL/],
  ['attribution', /CC-BY/],
  ['permissive', /./],
];

/** Pairs by group, of every row of the tables of sources. */
function countSources(): Record<string, number> {
  const rows = read('models/SOURCES.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 7 && /^\d+$/.test(cells[5]!));
  const counts: Record<string, number> = {};
  for (const [, , source = '', , said = '', pairs] of rows) {
    const above = rows.find((row) => said === 'as above' && row[2] === source.replace(/,.*$/, ''));
    const licence = above?.[4] ?? said;
    assert.notEqual(licence, 'as above', source);
    const [group] = GROUPS.find(([, pattern]) => pattern.test(licence))!;
    counts[group] = (counts[group] ?? 0) + Number(pairs);
  }
  return counts;
}

test('the model card says how many pairs of the training text are under which kind of licence', () => {
  const card = read('models/MODEL_CARD.md');
  const said = [...card.matchAll(/^\| ([a-zA-Z -]+?)(?: \(|:| or )[^|]*\| ([\d,]+) \|$/gm)].map(([, name, count]) => [
    name!,
    Number(count!.replaceAll(',', '')),
  ]);
  const counts = countSources();
  assert.deepEqual(Object.fromEntries(said), counts);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  assert.ok(card.includes(`${total.toLocaleString('en')} pairs`), String(total));
});

test('whoever gets the package is told of the text that the model was trained on', () => {
  for (const page of ['README.md', 'scripts/build.js']) {
    assert.match(read(page), /544,000/, page);
    assert.match(read(page), /SOURCES\.md/, page);
  }
});
