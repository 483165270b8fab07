import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isLeft, type Planted, plantInShapes } from '../../evals/redaction/measure-shapes.ts';
import { TUNED } from '../../evals/redaction/shapes.ts';
import { HELD_OUT_SHAPES } from '../../evals/redaction/shapes-held-out.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import { seededRandom } from '../../src/features/evaluation/seeded-random.ts';
import { replaceSecrets } from '../../src/privacy/replace-secrets.ts';
import { makeCaller, openTestEngine } from '../open-test-engine.ts';

const caller = makeCaller('cli');
const FORMATS = ['md', 'txt', 'py', 'json', 'yaml', 'csv', 'html'];
const LINE = 'the harbour crane was serviced in May and the master signed\n';
/** How much the engine looks through at once. */
const WINDOW = 40_000;

/** Those that are found where nothing is cut. */
function plantKeys(nth: number): Planted[] {
  return [TUNED, HELD_OUT_SHAPES]
    .flatMap(({ keys }) =>
      plantInShapes({ keys, passwords: {}, tokens: {}, placed: {} }, seededRandom(5), { keys: 16 }),
    )
    .filter((one, i) => i % nth === 0 && !isLeft(one, replaceSecrets(one.text).text));
}

async function open(t: TestContext): Promise<Engine> {
  return (await openTestEngine(t, { documents: createDocumentReader() })).engine;
}

async function ingest(engine: Engine, name: string, text: string): Promise<string> {
  const { document } = await engine.ingestDocument(caller, { name, bytes: new TextEncoder().encode(text) });
  return document.id;
}

async function readAll(engine: Engine, ref: string) {
  const { document, sections } = await engine.getDocument(caller, { ref, limit: 1000 });
  return { sections, whole: JSON.stringify([document, sections]) };
}

test('no reader cuts a private key up before it is looked at', async (t) => {
  const engine = await open(t);
  const left: string[] = [];
  for (const [i, one] of plantKeys(3).entries()) {
    const format = FORMATS[i % FORMATS.length];
    const said = `# Notes ${i}\n\nWhat the crane driver wrote.\n\n${one.text}\n`;
    const text = format === 'json' ? JSON.stringify({ lines: said.split('\n') }) : said;
    const { whole } = await readAll(engine, await ingest(engine, `note-${i}.${format}`, text));
    if (isLeft(one, whole)) left.push(`${one.shape}, ${format}`);
  }
  assert.deepEqual(left, []);
});

test('a key whose lines look like headings becomes one section, under the headings before it', async (t) => {
  const engine = await open(t);
  const [key] = plantInShapes(
    { keys: { plain: (text) => text }, passwords: {}, tokens: {}, placed: {} },
    seededRandom(5),
    { keys: 1 },
  );
  const shown = key!.text.trimEnd().replaceAll(/^/gm, '### ');
  const text = `# Crane\n\n## Access\n\nThe key of the crane:\n\n${shown}\n\n## Oil\n\nEvery May.\n`;
  const { sections } = await readAll(engine, await ingest(engine, 'crane.md', text));
  assert.deepEqual(
    sections.map(({ headings, content }) => [headings, content]),
    [
      [['Crane', 'Access'], 'The key of the crane:'],
      [['Crane', 'Access'], '[redacted:private-key]'],
      [['Crane', 'Oil'], 'Every May.'],
    ],
  );
});

test('a private key on the border of what is looked through at once is seen whole', async (t) => {
  const engine = await open(t);
  for (const [i, one] of plantKeys(11).entries()) {
    const before = LINE.repeat(WINDOW / LINE.length).slice(
      0,
      WINDOW - Math.floor((one.text.length * (1 + (i % 9))) / 10),
    );
    const text = `${before.slice(0, before.lastIndexOf('\n') + 1)}${one.text.trimEnd()}\n${LINE.repeat(400)}`;
    const stored = await engine.storeMemory(caller, { content: text });
    assert.equal(isLeft(one, JSON.stringify(stored)), false, one.shape);
    const { whole } = await readAll(engine, await ingest(engine, `long-${i}.txt`, text));
    assert.equal(isLeft(one, whole), false, one.shape);
  }
});
