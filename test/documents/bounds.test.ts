import assert from 'node:assert/strict';
import { test } from 'node:test';
import { windowsOf } from '../../src/engine/records/redact-content.ts';
import type { ReadDocument } from '../../src/features/documents/document.ts';
import { readDocument } from '../../src/features/documents/readers/read-document.ts';
import { createOutline } from '../../src/features/documents/readers/read-html.ts';
import { findKeys, mayPartKey } from '../../src/privacy/cut-keys.ts';

const CHARS = 900_000;

function read(name: string, text: string): Promise<ReadDocument> {
  return readDocument({ name, bytes: Buffer.from(text) });
}

function fill(unit: string, chars = CHARS): string {
  return unit.repeat(Math.ceil(chars / unit.length));
}

/** All that the engine will look through, cut and write. */
function charsOf({ sections }: ReadDocument): number {
  return sections.reduce((sum, { headings, text }) => sum + headings.join('').length + text.length, 0);
}

test('a text is screened in as many windows as it is long, whatever it is made of', () => {
  for (const unit of ['\n', ' ', '\n ', 'a', 'a b\n\n', '\u3000', '🙂', '\t\n\n']) {
    const text = fill(unit, 200_000);
    const windows = [...windowsOf(text, { mayPartKey, findKeys })];
    assert.equal(windows.join(''), text);
    assert.ok(windows.length <= 11, `${windows.length} windows of ${JSON.stringify(unit)}`);
  }
});

test('a document of headings has as many sections as its text deserves, and nothing is lost', async () => {
  for (const [name, unit] of [
    ['a.md', '# h\n'],
    ['a.md', '# h\n## i\n'],
    ['a.md', '## h\n\nx\n'],
    ['a.html', '<h1>h</h1>'],
    ['a.html', '<h1>h</h1><p>x'],
    ['a.py', 'def a\n'],
  ] as const) {
    const { sections } = await read(name, fill(unit));
    assert.ok(sections.length <= 10_000, `${sections.length} sections of ${JSON.stringify(unit)}`);
  }
  const numbered = Array.from({ length: 30_000 }, (_, i) => `# heading ${i}\n`).join('');
  const { sections } = await read('a.md', numbered);
  const lines = sections.flatMap(({ text, line }) => text.split('\n').map((said, i) => [said, line! + i] as const));
  assert.ok(sections.length < 1000);
  assert.deepEqual(
    lines,
    Array.from({ length: 30_000 }, (_, i) => [`heading ${i}`, i + 1]),
  );
});

test('texts that are joined stand at their lines, under the headings that they share', async () => {
  const part = '## Lamp\n\nIt turns.\n\n### Oil\nParaffin.\n';
  const { sections } = await read('a.md', `# The Lighthouse\n${fill(part, part.length * 12_000)}`);
  const [first] = sections;
  assert.deepEqual(first?.headings, ['The Lighthouse', 'Lamp']);
  assert.deepEqual(first?.text.split('\n').slice(0, 6), ['It turns.', '', 'Oil', 'Paraffin.', '', '']);
  const second = sections[1]!;
  assert.match(second.text, /^(It turns|Paraffin)/);
  const lines = `# The Lighthouse\n${fill(part, part.length * 12_000)}`.split('\n');
  for (const { text, line } of sections)
    for (const [i, said] of text.split('\n').entries())
      if (said === 'It turns.' || said === 'Paraffin.') assert.equal(lines[line! + i - 1], said);
});

test('names and headings of a megabyte are not repeated with each value below them', async () => {
  const long = 'n'.repeat(CHARS / 2);
  const rows = fill('1\n', CHARS / 2);
  const items = Array.from({ length: 40_000 }, () => ({ a: 1 }));
  const branches = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`b${i}`, 'x'.repeat(700)]));
  for (const [name, text] of [
    ['a.csv', `${long}\n${rows}`],
    ['a.json', JSON.stringify({ [long]: { [long]: items } })],
    ['a.json', JSON.stringify({ [long]: branches })],
    ['a.jsonl', `${JSON.stringify({ [long]: items })}\n`],
    ['a.html', `<h1>${long}</h1>${fill('<h2>a</h2>x', CHARS / 2)}`],
  ] as const) {
    const chars = charsOf(await read(name, text));
    assert.ok(chars < 35 * CHARS, `${name} comes to ${chars} characters`);
  }
});

test('headings of ever deeper levels are not all repeated with each section', () => {
  const outline = createOutline();
  for (let level = 1; level <= 5000; level++) {
    outline.open(level);
    outline.add(`h${level}`);
    outline.close();
    outline.add('text');
  }
  const sections = outline.end();
  assert.equal(sections.length, 5000);
  assert.deepEqual(
    sections.at(-1)!.headings,
    Array.from({ length: 8 }, (_, i) => `h${4993 + i}`),
  );
});
