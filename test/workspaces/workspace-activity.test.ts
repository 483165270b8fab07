import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MINUTE, makeCaller, openTestEngine } from '../open-test-engine.ts';
import { openPlace, program } from './open-place.ts';

const person = makeCaller('cli');

test('a workspace was last active when any of its notes was, the oldest one included', async (t) => {
  const { engine, clock } = await openTestEngine(t);
  const { workspace, ref } = await openPlace(engine);
  const at: number[] = [];
  for (let i = 0; i < 25; i++) {
    clock.run(MINUTE);
    at.push(clock.now());
    await engine.uploadNote(program, { ...ref, path: `n${i}.md`, content: `note ${i}` });
  }
  const activeAt = async (): Promise<number> => (await engine.getWorkspace(person, workspace)).updatedAt;
  assert.equal(await activeAt(), at.at(-1));
  clock.run(MINUTE);
  await engine.uploadNote(program, { ...ref, path: 'n0.md', content: 'changed' });
  assert.equal(await activeAt(), clock.now());
  clock.run(MINUTE);
  await engine.deleteNote(person, { workspace, path: 'n1.md' });
  assert.equal(await activeAt(), clock.now());
});
