import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertImported } from './make-lines.ts';
import { readSqlDump } from './read-sql-dump.ts';

test('hostile texts make sound lines: no characters that cannot be stored, no names of prototypes, nothing twice', async () => {
  const memory = {
    id: 'a',
    content: 'x\0\ud800',
    type: 'y'.repeat(500),
    tags: [' ', 'T\0ag'],
    metadata: JSON.parse('{"__proto__":{"x":1},"k\\u0000":"v"}'),
    createdAt: null,
  };
  const { lines, leftOut } = await convertImported(
    's',
    [{ memory }, { memory }, { relation: { from: 'a', to: 'b', type: 't', createdAt: null } }],
    { at: 5, now: 9, project: null },
  );
  const { record } = JSON.parse(lines[1]!);
  assert.deepEqual(
    [record.content, record.type.length, record.tags, record.createdAt],
    ['x\u{fffd}\u{fffd}', 200, ['t\u{fffd}ag'], 5],
  );
  assert.equal(lines[1]!.includes('__proto__') || lines[1]!.includes('\\u0000'), false);
  assert.deepEqual(
    leftOut.map(({ why }) => why),
    ['it is there twice', 'one of the two is not there'],
  );
});

test('a dump of SQL gives numbers, bytes and several rows of a statement', () => {
  assert.deepEqual(readSqlDump("INSERT INTO t (a) VALUES (x'C3A9'), (-1.5);").get('t'), [{ a: 'é' }, { a: -1.5 }]);
});
