import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';

const caller = makeCaller();

test('of many that hold a text all are counted, each page shows its own, and damage to a content that is not shown is told', async (t) => {
  const { engine, clock, path } = await openTestEngine(t);
  for (let i = 0; i < 60; i++) {
    clock.run(1000);
    await engine.storeMemory(caller, { content: `Entry ${i} ${i % 3 === 0 ? 'end of the line' : 'line of the end'}.` });
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await engine.listMemories(caller, { filter: { contains: 'of the line' }, page: { limit: 7, cursor } });
    assert.equal(page.total, 20);
    seen.push(...page.items.map(({ content }) => content));
    cursor = page.cursor;
  } while (cursor !== null);
  const newestFirst = Array.from({ length: 20 }, (_, i) => `Entry ${57 - 3 * i} end of the line.`);
  assert.deepEqual(seen, newestFirst);
  const database = new DatabaseSync(path);
  database.exec("UPDATE records SET content = replace(content, 'Entry 3 ', 'Entry 4 ') WHERE content LIKE 'Entry 3 %'");
  database.close();
  const { damaged, items } = await engine.listMemories(caller, {
    filter: { contains: 'of the line' },
    page: { limit: 7 },
  });
  assert.equal(items.length, 7);
  assert.equal(damaged?.length, 1);
});
