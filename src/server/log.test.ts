import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createLog } from './log.ts';

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
