import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../src/model/caller.ts';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { makeCaller } from '../open-test-engine.ts';

const ada: Caller = makeCaller('cli', { space: 'ada', spaces: ['ada'], userId: 'ada' });
const inTeam: Caller = makeCaller('rest', { space: 'team', spaces: ['team'], userId: 'ada' });
const bob: Caller = makeCaller('mcp', { space: 'team', spaces: ['team'], userId: 'bob' });
const mallory: Caller = makeCaller('rest', { space: 'other', spaces: ['other'], userId: 'mallory' });

for (const where of STORES)
  test(`a copy in a team says where its original went, and a copy of a stranger's says nothing (${where})`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const ids: string[] = [];
    for (const content of ['The vault is open.', 'The gate is shut.', 'The port is 8080.', 'The lamp is lit.']) {
      const stored = await engine.storeMemory(ada, { content });
      assert.ok('memory' in stored);
      ids.push(stored.memory.id);
    }
    const lines: string[] = [];
    for await (const line of engine.exportRecords(ada, {})) lines.push(line);
    async function* file() {
      yield* lines;
    }
    for (const caller of [inTeam, mallory])
      assert.equal((await engine.importRecords(caller, file(), {})).records, ids.length);
    const read = async (caller: Caller) => (await engine.getMemories(caller, { refs: ids })).notices ?? [];
    assert.deepEqual(await read(bob), []);
    await engine.deleteMemories(ada, { refs: [ids[0]!] });
    await engine.purge(ada, { refs: [ids[1]!] });
    const next = await engine.updateMemory(ada, { ref: ids[2]!, content: 'The port is 8443.', versioned: true });
    const told = await read(bob);
    assert.equal(told.length, 3);
    assert.match(told[0]!, new RegExp(`^${ids[0]} is a copy: its original, of ada, was deleted on 20`));
    assert.match(told[1]!, /was purged on 20/);
    assert.match(told[2]!, new RegExp(`was replaced by ${next.memory.id}`));
    assert.deepEqual(await read(mallory), [], 'what a file claims of its origin tells nobody of a foreign space');
  });
