import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openHome } from './atlas-world.ts';

/** The index and the vectors are gone, and made anew by whoever needs them next. */
function dropIndex(db: string): void {
  const database = new DatabaseSync(db);
  const names = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE '%segment%' OR name LIKE '%vector%')")
    .all()
    .map(({ name }) => String(name));
  assert.ok(names.length > 0, 'there is an index to drop');
  for (const name of names) database.exec(`DELETE FROM "${name}"`);
  database.close();
  rmSync(`${db}-last`, { force: true });
}

test('correction.survives_reindex: replaced, turned round, retracted, in part, and for a time', async (t) => {
  const home = openHome(t);
  const replaced = await home.store('The release train leaves on Tuesday.');
  await home.ltm('edit', replaced, '--content', 'The release train leaves on Thursday.', '--versioned');
  const loser = await home.store('Feature flags are enabled in production.');
  const winner = await home.store('Feature flags are disabled in production.');
  await home.ltm('resolve', winner, loser);
  const retracted = await home.store('The office has a sister site in Oslo.');
  await home.ltm('reject', retracted, '--note', 'misheard');
  const partly = await home.store('Grace owns billing and search.');
  await home.ltm('edit', partly, '--content', 'Grace owns billing; Linus owns search.');
  const bounded = await home.store('The gateway is frozen for the audit.', '--valid-from', '2020-01-01');
  await home.ltm('edit', bounded, '--valid-until', '2020-03-31');
  dropIndex(home.db);
  await home.ltm('doctor', '--repair', '--no-backup');
  const answers = async (question: string) => (await home.found(question)).join('\n');
  const all = (await home.contents()).join('\n');
  for (const [question, holds, gone] of [
    ['When does the release train leave?', 'leaves on Thursday', 'leaves on Tuesday'],
    ['Are feature flags enabled in production?', 'are disabled', 'are enabled'],
    ['Who owns search?', 'Linus owns search', 'billing and search'],
  ] as const) {
    const told = await answers(question);
    assert.ok(told.includes(holds), `${question}: ${told}`);
    for (const text of [told, all, await home.given(question)]) assert.ok(!text.includes(gone), `${question}: ${text}`);
  }
  for (const [question, gone] of [
    ['Is there a sister site in Oslo?', 'sister site in Oslo'],
    ['Is the gateway frozen for the audit?', 'gateway is frozen'],
  ] as const)
    for (const text of [await answers(question), all, await home.given(question)])
      assert.ok(!text.includes(gone), text);
  assert.ok((await home.contents('--valid-at', '2020-02-01')).includes('The gateway is frozen for the audit.'));
  const { versions } = await home.ltm('history', partly);
  assert.ok(JSON.stringify(versions).includes('billing and search'), 'the history is there');
  assert.equal((await home.ltm('get', replaced)).memories[0].superseded_by !== null, true);
});

const TRUE = 'The root cause was that the staging certificate had expired.';
const FALSE = 'We decided to keep the job queue in SQLite because one file is easier to back up.';
const WAYS: Readonly<Record<string, (id: string) => string[]>> = {
  rejected: (id) => ['reject', id],
  deleted: (id) => ['delete', id],
  'deleted forever': (id) => ['delete', id, '--forever'],
  purged: (id) => ['purge', id, '--yes'],
};

for (const [how, words] of Object.entries(WAYS))
  test(`correction.retraction_without_replacement: ${how}, and nothing newer has to be said`, async (t) => {
    const home = openHome(t);
    home.says('one', [`${FALSE}\n\n${TRUE}`]);
    await home.ltm('harvest', '--yes');
    const { memories } = await home.ltm('list');
    const { id } = memories.find(({ content }: { content: string }) => content === FALSE);
    await home.ltm(...words(id));
    await home.ltm('harvest', '--yes');
    await home.ltm('consolidate', 'run', 'monthly');
    await home.ltm('harvest', '--yes');
    assert.deepEqual(await home.contents(), [TRUE], 'control: the rest of what the source said is there');
    const told = [...(await home.found('job queue SQLite')), await home.given('Where is the job queue?')].join('\n');
    assert.doesNotMatch(told, /job queue in SQLite/);
    assert.match((await home.found('staging certificate')).join('\n'), /had expired/);
  });

test('correction.retraction_without_replacement: resolved for another that says nothing of it', async (t) => {
  const home = openHome(t);
  const [loser, winner] = [await home.store(FALSE), await home.store(TRUE)];
  await home.ltm('resolve', winner, loser);
  assert.equal((await home.refused('store', FALSE)).code, 'rejected');
  assert.deepEqual(await home.contents(), [TRUE]);
});
