import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readDocument } from '../../src/features/documents/readers/read-document.ts';

async function sectionsOf(name: string, text: string): Promise<unknown[]> {
  const { sections } = await readDocument({ name, bytes: Buffer.from(text) });
  return sections.map(({ headings, text: own, line }) => [headings.join(' › '), own, line]);
}

test('Markdown is cut at its headings, not at what stands in code', async () => {
  const text =
    'Before.\n\n# One\n\n```sh\n# no heading\n```\n\nTitle\n=====\n\nUnderlined.\n\n## Empty\n\n## Two\nText.\n';
  assert.deepEqual(await sectionsOf('a.md', text), [
    ['', 'Before.', 1],
    ['One', '```sh\n# no heading\n```', 5],
    ['Title', 'Underlined.', 12],
    ['Title › Empty', 'Empty', 14],
    ['Title › Two', 'Text.', 17],
  ]);
});

test('rows of CSV say what their values are, with the lines of the file', async () => {
  const text = 'name;city\n"Ada; Countess";London\n\n"two\nlines";Paris\n;Rome\n';
  assert.deepEqual(await sectionsOf('a.csv', text), [
    ['Columns: name, city', 'name: Ada; Countess; city: London\n\nname: two\nlines; city: Paris\ncity: Rome', 2],
  ]);
  assert.deepEqual(await sectionsOf('b.tsv', '1\t2\n3\t4\n'), [['', '1; 2\n3; 4', 1]]);
});

test('names of JSON are headings, and its values lines', async () => {
  const long = 'x'.repeat(700);
  const text = JSON.stringify({ name: 'shop', server: { notes: long, ports: [80, 443], tls: { on: true } } });
  assert.deepEqual(await sectionsOf('a.json', text), [
    ['', 'name: shop', undefined],
    ['server', 'ports: 80, 443\ntls.on: true', undefined],
    ['server › notes', long, undefined],
  ]);
  assert.deepEqual(await sectionsOf('a.jsonl', '{"a":1}\n\n{"b":{"c":2}}\n'), [['', 'a: 1\n\nb.c: 2\n', 1]]);
});

test('source code is cut at its declarations, each with the comment above it', async () => {
  const text =
    "import x from 'x';\n\n/** Adds. */\nexport function add(a, b) {\n  return a + b;\n}\n\nclass Shop {\n  open() {}\n}\n";
  assert.deepEqual(await sectionsOf('a.ts', text), [
    ['', "import x from 'x';", 1],
    ['add', '/** Adds. */\nexport function add(a, b) {\n  return a + b;\n}', 3],
    ['Shop', 'class Shop {\n  open() {}\n}', 8],
  ]);
  const python = '@cached\ndef load(path):\n    return 1\n\nasync def save():\n    pass\n';
  assert.deepEqual(
    (await sectionsOf('a.py', python)).map((one) => (one as string[])[0]),
    ['load', 'save'],
  );
});

test('HTML is read under its headings, tables and lists row by row', async () => {
  const text =
    '<title>Shop</title><nav>Menu</nav><h1>Shop</h1><p>Open &amp; warm.</p><h2>Hours</h2><ul><li>Monday<li>Tuesday</ul><table><tr><td>9<td>17</table>';
  assert.deepEqual(await sectionsOf('a.html', text), [
    ['Shop', 'Open & warm.', undefined],
    ['Shop › Hours', '- Monday\n- Tuesday\n\n| 9 | 17', undefined],
  ]);
});

test('a file says what it is by its content, then its name, then its media type', async () => {
  const bytes = Buffer.from('# Title\n\nText');
  assert.equal((await readDocument({ name: 'README', bytes })).format, 'markdown');
  assert.equal((await readDocument({ name: 'page', bytes, mediaType: 'text/html; charset=utf-8' })).format, 'html');
  assert.equal((await readDocument({ name: 'note', bytes, mediaType: 'text/plain' })).format, 'text');
});

test('slides are pages with their notes, sheets are rows with the names of their columns, and OpenDocument has headings', async () => {
  const read = async (name: string) => {
    const bytes = readFileSync(join(import.meta.dirname, 'fixtures', name));
    const { title, pages, sections } = await readDocument({ name, bytes });
    return [title, pages, sections.map(({ headings, text, page, line }) => [headings.join(' › '), text, page ?? line])];
  };
  assert.deepEqual(await read('quarry.pptx'), [
    'Quarry Plan',
    2,
    [
      ['Quarry Plan', 'For the autumn', 1],
      ['Blasting', 'Charges are set on Tuesdays only.\n\nNotes: Ask Marit for the siren key.', 2],
    ],
  ]);
  assert.deepEqual(await read('chandlery.xlsx'), [
    'Chandlery',
    null,
    [
      [
        'Stock › Columns: Item, Count, Shelf',
        'Item: Rope; Count: 12; Shelf: B4\nItem: Lantern; Count: 3; Shelf: C1',
        2,
      ],
      ['Orders › Columns: Customer, Item', 'Customer: Nils; Item: Anchor', 2],
    ],
  ]);
  assert.deepEqual(await read('mill.odt'), [
    'Mill',
    null,
    [
      ['Mill', 'The mill grinds rye on Fridays.', undefined],
      ['Mill › Stones', 'The stones are dressed once a year.', undefined],
    ],
  ]);
});
