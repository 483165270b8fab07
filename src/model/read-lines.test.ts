import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertLinear } from '../../test/growth.ts';
import { engineError } from '../../test/open-test-engine.ts';
import { readLines } from './read-lines.ts';

async function* chunksOf(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(text: string | Uint8Array, size = 3): Promise<string[]> {
  return listOf(readLines(chunksOf(text, size)));
}

async function listOf(lines: AsyncIterable<string>): Promise<string[]> {
  const list: string[] = [];
  for await (const line of lines) list.push(line);
  return list;
}

test('lines are the same however the chunks are cut', async () => {
  const text = '\uFEFFone\n\ntwo äöü 🙂\r\n\n\nlast';
  for (const size of [1, 2, 3, 5, 7, 100])
    assert.deepEqual(await linesOf(text, size), ['one', '', 'two äöü 🙂\r', '', '', 'last']);
  assert.deepEqual(await linesOf('a\n'), ['a']);
  assert.deepEqual(await linesOf('\n\n'), ['', '']);
  assert.deepEqual(await linesOf(''), []);
  assert.deepEqual(await listOf(readLines(null)), []);
});

test('what is no UTF-8, or breaks off inside a character, is refused', async () => {
  await assert.rejects(linesOf(Buffer.from([97, 10, 0xff, 10])), engineError('invalid_input', /UTF-8/));
  await assert.rejects(linesOf(Buffer.from('a\nä').subarray(0, -1)), engineError('invalid_input', /UTF-8/));
});

test('a line that is not finished is looked at once, in however many chunks it comes', async () => {
  const bytes = Buffer.alloc(8 << 20, 'a');
  await assertLinear('an unfinished line', bytes.length, (size) => linesOf(bytes.subarray(0, size), 4096));
});

test('a line without an end is refused before it fills the memory', async () => {
  let sent = 0;
  const piece = Buffer.alloc(1 << 20, 'a');
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      sent += piece.length;
      yield piece;
    }
  }
  const refused = engineError('too_large', /A line is longer/, { reason: 'line_too_long', limit: 16 << 20 });
  await assert.rejects(listOf(readLines(endless())), refused);
  assert.ok(sent <= 18 << 20);
});

test('very many short lines let others run in between', async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  let lines = 0;
  for await (const _ of readLines(chunksOf(Buffer.alloc(1 << 17, '\n'), 1 << 17))) lines++;
  isDone = true;
  assert.equal(lines, 1 << 17);
  assert.ok(turns > 3, `${turns} turns`);
});
