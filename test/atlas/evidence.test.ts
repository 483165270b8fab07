import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type Home, openHome } from './atlas-world.ts';

const KILN = ['glaze', 'clay', 'wheel', 'bowl', 'mug', 'plate', 'vase', 'tile'];
const SAID = [
  'We decided to keep the job queue in SQLite because one file is easier to back up.',
  'The root cause was that the staging certificate had expired.',
];

async function fillKiln(home: Home): Promise<string> {
  const lines = KILN.map((word) =>
    JSON.stringify({ content: `The pottery class fired the kiln for a ${word} on Monday evening.` }),
  );
  const agent = await home.agent();
  for (const line of lines) await agent.call('memory_store', JSON.parse(line));
  const { summaries } = await home.ltm('consolidate', 'run', 'monthly');
  assert.equal(summaries.clusters, 1, 'there is a summary');
  return summaries.made[0].id;
}

test('evidence.claim_resolves_to_source: every claim in a prompt leads to what it was made from', async (t) => {
  const home = openHome(t);
  home.says('one', [SAID.join('\n\n')]);
  await home.ltm('harvest', '--yes');
  await home.hook({
    hook_event_name: 'UserPromptSubmit',
    session_id: 's1',
    cwd: join(home.folder, 'code', 'shop'),
    prompt: '#remember Always fire the kiln before the pottery class',
  });
  await fillKiln(home);
  const context = await home.ltm('context', '--prompt', 'When do we fire the kiln?', '--timeout-ms', '10000');
  const start = await home.ltm('context', '--timeout-ms', '10000');
  const ids: string[] = [...context.entries, ...start.entries].map(({ id }: { id: string }) => id);
  assert.ok(ids.length >= 3, `control: claims reached the prompt: ${context.context}\n${start.context}`);
  const kinds = new Set<string>();
  for (const id of new Set(ids)) {
    const { memories } = await home.ltm('get', id);
    const [memory] = memories;
    assert.ok(memory !== undefined, `${id} is there`);
    assert.ok(memory.source.door !== undefined && memory.trust !== undefined);
    if (Array.isArray(memory.metadata.sources)) {
      kinds.add('summary');
      for (const source of memory.metadata.sources)
        assert.equal((await home.ltm('get', source)).memories.length, 1, 'each of its sources is there');
    } else if (memory.metadata.session_id !== undefined) {
      kinds.add('harvested');
      const folder = join(home.folder, '.claude', 'projects');
      const path = `${join(home.folder, 'code', 'shop').replaceAll(/[^a-zA-Z0-9]/g, '-')}/${memory.metadata.session_id}.jsonl`;
      const transcript = readFileSync(join(folder, path), 'utf8');
      assert.ok(transcript.includes(memory.metadata.message_id) && transcript.includes(memory.content));
    } else if (memory.session !== null) {
      kinds.add('remembered');
      const { observations } = await home.ltm('observations', '--session', memory.session);
      assert.match(JSON.stringify(observations), /fire the kiln before/);
    } else kinds.add('stored by an agent itself');
  }
  assert.ok(kinds.size >= 3, [...kinds].join());
});

test('evidence.source_delete_reaches_derived: summaries, sections, edges, entities and vectors', async (t) => {
  const home = openHome(t);
  const summary = await fillKiln(home);
  const { memories: fired } = await home.ltm('list', '--limit', '50');
  const mug = fired.find(({ content }: { content: string }) =>
    content.startsWith('The pottery class fired the kiln for a mug'),
  );
  const beside = await home.store('The lighthouse of @grace burns all night.');
  const sibling = await home.store('The harbour of @grace closes at ten.');
  const wrong = await home.store('The lighthouse keeper is @mortimer, says the old log.');
  await home.ltm('relate', wrong, beside);
  await home.ltm('relate', beside, sibling);
  const guide = join(home.folder, 'guide.md');
  const other = join(home.folder, 'other.md');
  writeFileSync(guide, '# Guide\n\n## Quartz\n\nThe quartz pump needs oil on Mondays.\n');
  writeFileSync(other, '# Other\n\n## Basalt\n\nThe basalt pump needs water on Fridays.\n');
  const { documents } = await home.ltm('ingest', guide, other);
  assert.ok(JSON.stringify(await home.found('quartz pump oil')).includes('quartz'), 'it was found before');
  await home.ltm('delete', mug.id);
  await home.ltm('delete', wrong);
  const named = (documents as { id: string; title?: string; name?: string }[]) ?? [];
  const { documents: listed } = await home.ltm('documents');
  const quartz = [...named, ...listed].find((one) => JSON.stringify(one).includes('guide.md'));
  await home.ltm('documents', 'remove', quartz.id);
  assert.deepEqual(
    (await home.ltm('get', summary, '--include-deleted')).memories[0].deleted_at !== null,
    true,
    'summary',
  );
  for (const query of ['pottery kiln mug', 'quartz pump oil', 'lighthouse keeper mortimer'])
    for (const mode of ['hybrid', 'text', 'semantic'])
      for (const told of await home.found(query, '--mode', mode))
        assert.doesNotMatch(told, /quartz|mortimer|for a (?:mug) on/, `${mode}: ${told}`);
  const relations = (await home.ltm('relations')).relations;
  assert.ok(!JSON.stringify(relations).includes(wrong), 'edges');
  assert.ok(!JSON.stringify((await home.ltm('entities')).entities).includes('mortimer'), 'entities');
  assert.ok(JSON.stringify(relations).includes(sibling), 'control: the other edge');
  assert.ok(JSON.stringify(await home.ltm('entities')).includes('grace'), 'control: the other entity');
  assert.match((await home.found('basalt pump water')).join(), /basalt/, 'control: the other document');
  assert.ok(
    (await home.contents()).some((text) => text.includes('for a vase')),
    'control: the other sources',
  );
});

test('evidence.rebuild_from_retained: indexes, vectors and summaries are made anew of what is kept', async (t) => {
  const home = openHome(t);
  const tokens = ['qzv7-marrow-1138', 'xk29-tundra-4471', 'plov-ember-9026'];
  for (const token of tokens) await home.store(`The access word of the ${token.split('-')[1]} vault is ${token}.`);
  await fillKiln(home);
  await home.ltm('doctor');
  const database = new DatabaseSync(home.db);
  const derived = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE '%segment%' OR name LIKE '%vector%')")
    .all();
  assert.ok(derived.length > 0);
  for (const { name } of derived) database.exec(`DELETE FROM "${String(name)}"`);
  database.close();
  await home.ltm('doctor', '--repair', '--no-backup');
  // A server makes vectors in the background; no command waits for them unless it is told to.
  await home.ltm('embedder', 'use', 'static', '--now');
  const file = join(home.folder, 'all.jsonl');
  await home.ltm('export', file);
  const elsewhere = openHome(t);
  await elsewhere.ltm('import', file);
  for (const each of [home, elsewhere]) {
    for (const token of tokens) {
      const question = `What is the access word of the ${token.split('-')[1]} vault?`;
      assert.ok((await each.found(question)).join('\n').includes(token), `control: ${token} is retrieved`);
      assert.ok((await each.given(question)).includes(token), `control: ${token} is in the prompt`);
    }
    assert.match((await each.found('pottery class kiln')).join('\n'), /fired the kiln for a/);
  }
  const sources: { id: string; content: string }[] = (await home.ltm('list', '--limit', '50')).memories;
  const tile = sources.find(({ content }) => /^The pottery class .* for a tile/.test(content))!;
  await home.ltm('edit', tile.id, '--content', 'The pottery class fired the kiln for a bead on Monday evening.');
  assert.deepEqual(await home.contents('--type', 'pattern'), [], 'a corrected source takes the summary away');
  const again = await home.ltm('consolidate', 'run', 'monthly');
  assert.equal(again.summaries.clusters, 1, 'the summary is made anew');
});
