import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { makeCaller, openTestEngine } from '../../../../test/open-test-engine.ts';
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
    ['x\u{fffd}\u{fffd}', 200, ['T\u{fffd}ag'], 5],
  );
  assert.equal(lines[1]!.includes('__proto__') || lines[1]!.includes('\\u0000'), false);
  assert.deepEqual(
    leftOut.map(({ why }) => why),
    ['it is there twice', 'one of the two is not there'],
  );
});

test('a secret in a tag is found before tags are folded', async (t) => {
  const { engine } = await openTestEngine(t);
  const caller = makeCaller('cli');
  const secret = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
  const memory = { id: 'a', content: 'Tagged too well', tags: ['Ops', 'ops', secret], createdAt: null };
  const { lines } = await convertImported('s', [{ memory }], { at: 5, now: 9, project: null });
  const bring = async () => engine.importRecords(caller, Readable.from(lines), {});
  const { records, redacted } = await bring();
  assert.deepEqual([records, redacted.length], [1, 1]);
  const { items } = await engine.listMemories(caller, {});
  assert.equal(items[0]!.tags[0], 'ops');
  assert.equal(items[0]!.tags.length, 2);
  assert.doesNotMatch(JSON.stringify(items), /ab3de5gh7jk9/i);
  assert.deepEqual([(await bring()).unchanged, (await bring()).conflicts], [1, []]);
});

test('a dump of SQL gives numbers, bytes and several rows of a statement', () => {
  assert.deepEqual(readSqlDump("INSERT INTO t (a) VALUES (x'C3A9'), (-1.5);").get('t'), [{ a: 'é' }, { a: -1.5 }]);
});
