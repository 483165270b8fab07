import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import { cutSections } from '../../src/features/documents/cut-sections.ts';
import type { ReadDocument } from '../../src/features/documents/document.ts';
import { readDocument } from '../../src/features/documents/readers/read-document.ts';
import { engineError } from '../open-test-engine.ts';
import { makeZip } from './make-zip.ts';

const reader = createDocumentReader();
after(() => reader.close());

function read(name: string, content: string | Uint8Array): Promise<ReadDocument> {
  return reader.read({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
}

const word = (body: string, before = ''): Buffer =>
  Buffer.from(`<?xml version="1.0"?>${before}<w:document><w:body>${body}</w:body></w:document>`);
const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

test('an archive that unpacks to far more than it says is given up', async () => {
  const bomb = makeZip({ 'word/document.xml': Buffer.alloc(80 << 20, 'a') }, 100);
  assert.ok(bomb.length < 200_000);
  await assert.rejects(read('bomb.docx', bomb), engineError('too_large', /unpacks/, { reason: 'unpacks_too_large' }));
});

test('many parts that unpack to a little less than too much are too much together', async () => {
  const sheets = Array.from({ length: 6 }, (_, i) => `sheet${i}.xml`);
  const parts: Record<string, Uint8Array> = {
    'xl/workbook.xml': Buffer.from(
      `<workbook><sheets>${sheets.map((_, i) => `<sheet name="${i}" r:id="r${i}"/>`).join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': Buffer.from(
      `<Relationships>${sheets.map((name, i) => `<Relationship Id="r${i}" Target="${name}"/>`).join('')}</Relationships>`,
    ),
  };
  for (const name of sheets) parts[`xl/${name}`] = Buffer.alloc(60 << 20, ' ');
  await assert.rejects(
    read('bomb.xlsx', makeZip(parts)),
    engineError('too_large', /unpacks/, { reason: 'unpacks_too_large' }),
  );
});

test('a row that says it is the last of a million fills no memory', async () => {
  const sheet =
    '<worksheet><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1"><v>2</v></c><c r="B1"><v>3</v></c></row></worksheet>';
  const { sections } = await read(
    'wide.xlsx',
    makeZip({
      'xl/workbook.xml': Buffer.from('<workbook><sheet name="S" r:id="r"/></workbook>'),
      'xl/_rels/workbook.xml.rels': Buffer.from('<Relationships><Relationship Id="r" Target="s.xml"/></Relationships>'),
      'xl/s.xml': Buffer.from(sheet),
    }),
  );
  assert.deepEqual(
    sections.map(({ text, line }) => [text, line]),
    [
      ['1', 1],
      ['3', 1_048_576],
    ],
  );
});

test('entities of a Word file name no files and do not grow', async () => {
  const before =
    '<!DOCTYPE d [<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
  const { sections } = await read(
    'xxe.docx',
    makeZip({ 'word/document.xml': word(paragraph('one &f; &b; two'), before) }),
  );
  const text = sections.map((section) => section.text).join();
  assert.match(text, /one .* two/);
  assert.doesNotMatch(text, /root:|aaaaaaaaaa/);
});

test('Word files that are damaged, something else or without a document are refused', async () => {
  const sound = readFileSync(join(import.meta.dirname, 'fixtures', 'harbour.docx'));
  for (const bytes of [sound.subarray(0, 5000), Buffer.from('no archive'), makeZip({ 'a.txt': Buffer.from('a') })])
    await assert.rejects(
      read('broken.docx', bytes),
      engineError('invalid_input', /broken\.docx/, { reason: 'damaged' }),
    );
});

test('PDFs that are locked, cut off or not PDFs are refused', async () => {
  const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name));
  await assert.rejects(
    read('locked.pdf', fixture('locked.pdf')),
    engineError('invalid_input', /password/, { reason: 'encrypted' }),
  );
  await assert.rejects(read('no.pdf', 'this is text'), engineError('invalid_input', /no\.pdf/, { reason: 'damaged' }));
  await assert.rejects(
    read('half.pdf', '%PDF-1.7\n1 0 obj\n<<'),
    engineError('invalid_input', /half\.pdf/, { reason: 'damaged' }),
  );
  const again = await read('turbine.pdf', fixture('turbine.pdf'));
  assert.equal(again.pages, 5);
});

test('JSON that is nested without end, or is none, is refused', async () => {
  await assert.rejects(
    read('deep.json', '['.repeat(100_000)),
    engineError('invalid_input', /nested/, { reason: 'too_deep' }),
  );
  await assert.rejects(read('half.json', '{"a": '), engineError('invalid_input', /not valid JSON/));
  await assert.rejects(read('lines.jsonl', '{"a":1}\n{"b"'), engineError('invalid_input', /line 2/));
});

test('HTML that is nested without end is read, and what it would run is left out', async () => {
  const deep = `${'<div>'.repeat(20_000)}<p>At the bottom</p><script>alert("x")</script><style>p{}</style>`;
  const { sections } = await read('deep.html', deep);
  assert.deepEqual(
    sections.map(({ text }) => text),
    ['At the bottom'],
  );
});

test('binary files are refused whatever they are called, and text of other encodings is read', async () => {
  await assert.rejects(
    read('photo.md', Buffer.from([0xff, 0xd8, 0xff, 0, 1, 2])),
    engineError('invalid_input', /binary/, { reason: 'binary' }),
  );
  await assert.rejects(
    read('program.exe', 'MZ'),
    engineError('invalid_input', /no kind/, { reason: 'unknown_format' }),
  );
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße aus dem Süden', 'utf16le')]);
  assert.equal((await read('a.txt', utf16)).sections[0]?.text, 'Grüße aus dem Süden');
  const latin = await read('b.txt', Buffer.from('Grüße aus dem Süden', 'latin1'));
  assert.deepEqual([latin.sections[0]?.text, latin.warnings.length], ['Grüße aus dem Süden', 1]);
});

test('a file that takes too long is given up, and the next one is read', async () => {
  const impatient = createDocumentReader({ timeoutMs: 1, inlineBytes: 0 });
  await assert.rejects(
    impatient.read({ name: 'slow.md', bytes: Buffer.from('# Slow') }),
    engineError('too_large', /took longer/, { reason: 'took_too_long' }),
  );
  await impatient.close();
  const patient = createDocumentReader({ inlineBytes: 0 });
  assert.equal((await patient.read({ name: 'a.md', bytes: Buffer.from('# Title\n\nText') })).title, 'Title');
  await patient.close();
});

test('a file that takes too much memory is given up, and the program goes on', async () => {
  const small = createDocumentReader({ memoryMb: 24, inlineBytes: 0 });
  const rows = Buffer.from(`a,b\n${'x,y\n'.repeat(1_500_000)}`);
  await assert.rejects(
    small.read({ name: 'rows.csv', bytes: rows }),
    engineError('too_large', /memory/, { reason: 'too_much_memory' }),
  );
  assert.equal((await small.read({ name: 'b.md', bytes: Buffer.from('# Still here\n\nYes.') })).title, 'Still here');
  await small.close();
});

test('while a large file is read, others get their turn', async () => {
  const text = Array.from({ length: 60_000 }, (_, i) => `## Heading ${i}\n\nText ${i} of the file.\n`).join('\n');
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  await read('large.md', text);
  clearInterval(timer);
  assert.ok(turns >= 5, `${turns} turns`);
});

test('lines that are made to keep patterns busy take no longer than others', async () => {
  const size = 150_000;
  const hostile: [string, string][] = [
    ['a.md', `# ${'['.repeat(size)}`],
    ['b.md', `# a${' '.repeat(size)}b`],
    ['c.md', `---\nt${' '.repeat(size)}\n---\nText`],
    ['d.ts', `${'a '.repeat(size / 2)}(`],
    ['e.csv', `${'"'.repeat(size)}`],
    ['f.md', `Text\n${' '.repeat(size)}\nText`],
  ];
  const ordinary = 'An ordinary line of text.\n'.repeat(size / 26);
  const spent = async (name: string, text: string): Promise<number> => {
    const before = process.cpuUsage();
    const { sections } = await readDocument({ name, bytes: Buffer.from(text) });
    for (const _ of cutSections('x', sections, { sectionChars: 3600, overlapChars: 0 }));
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const usual = Math.max(await spent('usual.md', ordinary), await spent('usual.ts', ordinary), 20_000);
  for (const [name, text] of hostile) {
    const took = await spent(name, text);
    assert.ok(took < usual * 50, `${name}: ${took} µs, usually ${usual}`);
  }
});

test('tags that open and never close, or close what was never opened, take no longer than others', async () => {
  const before = process.cpuUsage();
  for (const tags of ['<v>', '<font>', '<div></x>', '<p><b>']) {
    const page = `${tags.repeat(Math.floor(900_000 / tags.length))}<h1>Mill</h1><p>It grinds rye.</p>`;
    const { sections } = await readDocument({ name: 'a.html', bytes: Buffer.from(page) });
    assert.match(sections.map(({ text }) => text).join(' '), /It grinds rye\./);
  }
  const bytes = makeZip({ 'word/document.xml': word(`${'<v>'.repeat(300_000)}${paragraph('It grinds rye.')}`) });
  const { sections } = await readDocument({ name: 'a.docx', bytes });
  assert.deepEqual(
    sections.map(({ text }) => text),
    ['It grinds rye.'],
  );
  const { user } = process.cpuUsage(before);
  assert.ok(user < 6_000_000, `${user / 1000} ms`);
});
