import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DAY, engineError, makeCaller } from '../open-test-engine.ts';
import { openMachine, PERSON } from '../travel/open-machine.ts';
import { openHome } from './atlas-world.ts';

const WRONG = 'The staging database listens on port 5433.';
const RIGHT = 'The staging database listens on port 6543.';
const NEIGHBOUR = 'The staging cache listens on port 6380.';

test('tombstone.laundering_sequence: what was rejected is not walked back by saying it again', async (t) => {
  const home = openHome(t);
  const agent = await home.agent();
  const id = await home.store(WRONG, '--key', 'staging-port');
  await home.store(NEIGHBOUR);
  await home.ltm('reject', id, '--note', 'it is 6543');
  await agent.call('memory_store', { content: RIGHT, key: 'staging-port' });
  const again = [
    await agent.fail('memory_store', { content: WRONG, key: 'staging-port' }),
    await agent.fail('memory_store', { content: WRONG, tags: ['verified'], project: 'other' }),
    await agent.fail('memory_store', { content: `${WRONG} Confirmed by the person in review.` }),
    await home.refused('store', WRONG),
    await home.refused('restore', id),
  ];
  for (const error of again) assert.equal(error.code, 'rejected', JSON.stringify(error));
  assert.match(again[0]!.message, /rejected on \d{4}-\d\d-\d\d: it is 6543/);
  assert.deepEqual(await home.contents(), [NEIGHBOUR, RIGHT]);
  const { rejections } = await home.ltm('rejected');
  assert.deepEqual([rejections.length, rejections[0].text, rejections[0].why], [1, WRONG, 'it is 6543']);
  assert.ok((await home.found('staging cache port')).includes(NEIGHBOUR), 'control: the neighbour is recalled');
});

test('tombstone.survives_ttl_and_prune: no retention takes it', async (t) => {
  const { engine, clock, write, client } = await openMachine(t, { settings: { keepDeletedDays: 30 } });
  const id = await write(WRONG);
  await client().rejectMemories({ ids: [id], note: 'no' });
  await write(NEIGHBOUR);
  for (let round = 0; round < 5; round++) {
    clock.run(400 * DAY);
    await engine.runUpkeep();
    await engine.purgeExpired(PERSON, { everywhere: false });
    for (const horizon of ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const)
      await client().consolidate({ horizon, forget: 'aged' });
    await client().cleanUp({});
    await client().maintain({});
  }
  assert.equal(
    (await engine.getMemories(PERSON, { refs: [id], includeDeleted: true })).memories.length,
    0,
    'it is gone',
  );
  const agent = makeCaller('mcp');
  for (const content of [WRONG, WRONG.toUpperCase(), `Again: yes.\n${WRONG}`])
    await assert.rejects(engine.storeMemory(agent, { content }), engineError('rejected', /: no/));
  assert.equal((await client().listRejections({})).total, 1);
  const { hits } = await engine.search(PERSON, { query: 'staging cache port' });
  const listed = await engine.listMemories(PERSON, { filter: { includeSuperseded: true } });
  assert.ok(
    [...hits.map(({ snippet }) => snippet), ...listed.items.map(({ content }) => content)].includes(NEIGHBOUR),
    'control: what was not rejected is still there',
  );
});

test('tombstone.key_normalization_attack: a value is stopped, not a string', async (t) => {
  const home = openHome(t);
  const agent = await home.agent();
  await home.ltm('reject', await home.store(WRONG));
  const variants = [
    WRONG.toUpperCase(),
    WRONG.replaceAll(' ', '   '),
    WRONG.replace(/ /, '\n\t'),
    WRONG.replaceAll('a', 'а').replaceAll('o', 'ο').replaceAll('e', 'е'),
    WRONG.replaceAll('s', 's\u200b').replace('port', 'po\u00adrt'),
    `\ufeff${WRONG}\u2060`,
    WRONG.replace('database', 'da\u{e0061}tabase').replace('listens', 'lis\u034ftens'),
    WRONG.normalize('NFD').replace('port', 'pórt'),
    [...WRONG].map((one) => (/[a-z]/i.test(one) ? String.fromCodePoint(one.charCodeAt(0) + 0xfee0) : one)).join(''),
    WRONG.replace('5433', '５４３３'),
    WRONG.replace('5433', '٥٤٣٣'),
    `"${WRONG}"`,
    `- **${WRONG}**`,
    WRONG.replace('.', '!'),
  ];
  for (const content of variants)
    assert.equal((await agent.fail('memory_store', { content })).code, 'rejected', JSON.stringify(content));
  const paraphrase = 'On staging, Postgres is reached through 5433.';
  await agent.call('memory_store', { content: paraphrase });
  assert.deepEqual(await home.contents(), [paraphrase], 'control: a paraphrase passes');
  assert.ok((await home.found('Postgres on staging')).includes(paraphrase));
});

const SAID = [
  'We decided to keep the job queue in SQLite because one file is easier to back up.',
  'The root cause was that the staging certificate had expired.',
];

test('tombstone.reextraction_stays_inactive: no job brings it back', async (t) => {
  const home = openHome(t);
  home.says('one', [SAID.join('\n\n')]);
  await home.ltm('harvest', '--yes');
  const { memories } = await home.ltm('list');
  assert.equal(memories.length, 2);
  const wrong = memories.find(({ content }: { content: string }) => content === SAID[0]);
  await home.ltm('reject', wrong.id, '--note', 'it is Redis');
  home.says('two', [SAID.join('\n\n'), 'We decided to ship the importer on Friday after the review.']);
  const { results } = await home.ltm('harvest', '--yes');
  const sum = (name: string) => results.reduce((all: number, one: Record<string, number>) => all + (one[name] ?? 0), 0);
  assert.ok(sum('rejected') >= 2, 'both sessions say it');
  for (const [i, text] of [SAID[0]!, 'Always ask Ada before a deploy'].entries())
    await home.hook({
      hook_event_name: 'UserPromptSubmit',
      session_id: `s${i}`,
      cwd: home.folder,
      prompt: `#remember ${text}`,
    });
  const notes = join(home.folder, 'notes.md');
  writeFileSync(notes, `# Queue\n\n${SAID[0]}\n\n# Certificates\n\n${SAID[1]}\n`);
  await home.ltm('ingest', notes);
  const all = [...(await home.contents()), ...(await home.found('job queue SQLite back up'))].join('\n');
  assert.doesNotMatch(all, /job queue in SQLite/);
  assert.doesNotMatch(await home.given('Where is the job queue?'), /job queue in SQLite/);
  for (const kept of [SAID[1]!, 'ship the importer on Friday', 'Always ask Ada'])
    assert.ok(all.includes(kept) || (await home.contents()).join('\n').includes(kept), `control: ${kept}`);
});

test('tombstone.no_second_memory_unit: the write is refused, and nothing is made that is hidden', async (t) => {
  const home = openHome(t);
  const agent = await home.agent();
  home.says('one', [SAID.join('\n\n')]);
  await home.ltm('harvest', '--yes');
  const { memories } = await home.ltm('list');
  await home.ltm('reject', memories.find(({ content }: { content: string }) => content === SAID[0]).id);
  const units = async () => {
    const { memories: all } = await home.ltm('list', '--include-deleted', '--include-superseded', '--limit', '1000');
    return all.map(({ id, revision }: { id: string; revision: number }) => `${id} ${revision}`).toSorted();
  };
  const before = await units();
  assert.equal(before.length, 2);
  home.says('two', SAID);
  await home.ltm('harvest', '--yes');
  assert.equal((await agent.fail('memory_store', { content: SAID[0]! })).code, 'rejected');
  assert.equal((await home.refused('store', SAID[0]!)).code, 'rejected');
  assert.deepEqual(await units(), before, 'consulted: no unit came, and none was touched');
  assert.ok((await home.found('staging certificate')).includes(SAID[1]!), 'control: the others are recalled');
});
