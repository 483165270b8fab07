import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { batchWrites, createLog } from './log.ts';

function capture(isTTY: boolean) {
  const lines: string[] = [];
  return { lines, isTTY, write: (text: string) => lines.push(text) };
}

it('writes one JSON line per event', () => {
  const stream = capture(false);
  createLog('info', stream).warn('request_refused', { reason: 'unknown', status: 401 });
  const line = JSON.parse(stream.lines[0]!);
  assert.deepEqual(
    { level: line.level, event: line.event, reason: line.reason, status: line.status },
    { level: 'warn', event: 'request_refused', reason: 'unknown', status: 401 },
  );
  assert.ok(stream.lines[0]!.endsWith('\n'));
});

it('leaves out what is below its level', () => {
  const stream = capture(false);
  const log = createLog('warn', stream);
  log.info('a');
  log.warn('b');
  log.error('c');
  assert.deepEqual(
    stream.lines.map((line) => JSON.parse(line).event),
    ['b', 'c'],
  );
  createLog('silent', stream).error('d');
  assert.equal(stream.lines.length, 2);
});

it('writes readable text on a terminal and lets no value break the line', () => {
  const stream = capture(true);
  createLog('info', stream).info('request', { path: '/a', agent: 'x\ny\u001b[31m\u009b1m' });
  assert.match(stream.lines[0]!, / info {2}request path=\/a agent="x\\ny\\u001b\[31m\\u009b1m"\n$/);
});

it('writes the lines of one turn in one piece, in order', async () => {
  const pieces: string[] = [];
  const stream = batchWrites({ write: (text) => pieces.push(text) });
  stream.write('a\n');
  stream.write('b\n');
  assert.deepEqual(pieces, []);
  await setImmediate();
  assert.deepEqual(pieces, ['a\nb\n']);
  stream.write('c\n');
  await setImmediate();
  assert.deepEqual(pieces, ['a\nb\n', 'c\n']);
});

for (const end of ['process.exit(3)', 'throw new Error("boom")'])
  it(`loses no line when the process ends by ${end}`, () => {
    const module = join(import.meta.dirname, 'log.ts');
    const script = `import { batchWrites } from ${JSON.stringify(module)}; batchWrites(process.stderr).write('the last words\\n'); ${end};`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    assert.match(stderr, /the last words/);
  });

it('sends a flood of lines in pieces that a pipe takes whole, each of whole lines', async () => {
  const pieces: string[] = [];
  const stream = batchWrites({ write: (text) => pieces.push(text) });
  const log = createLog('info', stream, { worker: 2 });
  for (let i = 0; i < 200; i++) log.info('request', { path: `/ünïcödé/${i}` });
  log.warn('long', { text: 'x'.repeat(5000) });
  log.info('last');
  await setImmediate();
  const lines = pieces.join('').trimEnd().split('\n');
  assert.equal(lines.length, 202);
  assert.ok(pieces.every((piece) => piece.endsWith('\n')));
  const large = pieces.filter((piece) => Buffer.byteLength(piece) > 4096);
  assert.deepEqual([large.length, large[0]?.split('\n').length], [1, 2]);
  assert.ok(lines.every((line) => JSON.parse(line).worker === 2));
});
