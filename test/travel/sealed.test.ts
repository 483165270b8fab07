import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { exchangeReplicas } from '../../src/features/sync/exchange-replicas.ts';
import { FAR, openMachine, PERSON } from './open-machine.ts';
import { openSealed, SERVER_URL } from './open-sealed.ts';

test('two laptops and a server that cannot read: the second joins with the words, and both hold the same', async (context) => {
  const { server, one, two } = await openSealed(context);
  const first = await one.write('The port is 8000', { tags: ['net'], metadata: { owner: 'ops' } });
  await one.engine.updateMemory(PERSON, { ref: first, content: 'The port is 8001' });
  const second = await two.write('Deploy on Fridays');
  await one.engine.relate(PERSON, { from: first, to: await one.write('Why it is 8001'), type: 'explains' });
  for (const laptop of [one, two, one]) await laptop.sync();
  for (const laptop of [one, two]) {
    equal((await laptop.read(first))?.content, 'The port is 8001');
    equal((await laptop.read(second))?.content, 'Deploy on Fridays');
    equal((await laptop.engine.listVersions(PERSON, first)).length, 1);
    deepEqual(await laptop.sync().then(({ pulled, pushed, inSync }) => [pulled, pushed, inSync]), [0, 0, true]);
  }
  const digests = await Promise.all([one, two].map(({ engine }) => engine.digestSpace(PERSON)));
  equal(digests[0]!.digest, digests[1]!.digest);
  const { isSealed, slots, uploads } = await server.engine.digestSealed(PERSON);
  deepEqual([isSealed, slots, uploads], [true, 3, 3]);
});

test('nothing of what was written can be read in the files of the server, and it neither searches nor takes records', async (context) => {
  const { server, one, two } = await openSealed(context);
  const canaries = Array.from({ length: 100 }, (_, i) => `canary${i}x${(i * 7919).toString(36)}`);
  for (const [i, canary] of canaries.entries()) {
    const id = await one.write(`${canary} is in the text`, {
      ...(i % 4 === 0 && { tags: [`tag-${canary}`] }),
      ...(i % 4 === 1 && { metadata: { [`key-${canary}`]: canary } }),
      ...(i % 4 === 2 && { project: `project-${canary}`, author: `author-${canary}` }),
    });
    if (i % 10 === 0) await one.engine.updateMemory(PERSON, { ref: id, content: `${canary} was changed` });
    if (i % 25 === 0) await one.engine.deleteMemories(PERSON, { refs: [id] });
  }
  await one.sync();
  deepEqual(await two.sync().then(({ inSync }) => inSync), true);
  equal((await two.engine.listMemories(PERSON, {})).total, 96);
  const folder = dirname(server.path);
  const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
  ok(bytes.length > 100_000);
  deepEqual(
    canaries.filter((canary) => bytes.includes(canary)),
    [],
  );
  const ids = (await one.store.listHeldIds(PERSON.space, { after: null, limit: 200 })).filter((id) =>
    bytes.includes(id),
  );
  deepEqual(ids, []);
  const secrets = readdirSync(join(one.home, 'sealed')).map((name) => join(one.home, 'sealed', name));
  equal(secrets.length, 1);
  equal(statSync(secrets[0]!).mode & 0o777, 0o600);
  ok(!bytes.includes((JSON.parse(readFileSync(secrets[0]!, 'utf8')) as { secret: string }).secret));
  await rejects(server.write('readable'), { code: 'space_sealed' });
  await rejects(server.engine.search(PERSON, { query: 'canary' }), { code: 'space_sealed' });
  await rejects(
    exchangeReplicas({ ...one, near: one.client(), far: server.client(FAR), url: SERVER_URL, now: Date.now }),
    {
      code: 'space_sealed',
    },
  );
  const third = await openMachine(context);
  await third.write('would be sent readable');
  await rejects(exchangeReplicas({ near: third.client(), far: server.client(FAR), url: SERVER_URL, now: Date.now }), {
    code: 'space_sealed',
  });
});

test('both texts stay where two laptops changed one, and the server ends with one upload of it', async (context) => {
  const { server, one, two } = await openSealed(context);
  const id = await one.write('first');
  for (const laptop of [one, two]) await laptop.sync();
  await one.engine.updateMemory(PERSON, { ref: id, content: 'of one' });
  await two.engine.updateMemory(PERSON, { ref: id, content: 'of two' });
  for (const laptop of [one, two, one]) equal((await laptop.sync()).inSync, true);
  for (const laptop of [one, two]) {
    const [conflict] = await laptop.engine.listForks(PERSON);
    deepEqual(conflict?.texts.map(({ content }) => content).sort(), ['of one', 'of two']);
  }
  equal((await server.engine.digestSealed(PERSON)).uploads, 1);
  await two.engine.updateMemory(PERSON, { ref: id, content: 'of both' });
  for (const laptop of [two, one]) equal((await laptop.sync()).inSync, true);
  deepEqual([(await one.read(id))?.content, await one.engine.listForks(PERSON)], ['of both', []]);
});

test('a purge takes away at once what the server has of a record, and travels', async (context) => {
  const { server, one, two } = await openSealed(context);
  const [id, kept] = [await one.write('to be purged'), await one.write('kept')];
  for (const laptop of [one, two]) await laptop.sync();
  await two.engine.updateMemory(PERSON, { ref: id, content: 'changed meanwhile' });
  await one.engine.purge(PERSON, { refs: [id] });
  await one.sync();
  // What is kept, what is left of the purge, what keeps its text out, and the key of that.
  equal((await server.engine.digestSealed(PERSON)).uploads, 4);
  for (const laptop of [two, one]) equal((await laptop.sync()).inSync, true);
  for (const laptop of [one, two])
    deepEqual([await laptop.read(id), (await laptop.read(kept))?.content], [undefined, 'kept']);
});

test('trust does not rise on the way, and texts of an agent stay those of an agent', async (context) => {
  const { one, two } = await openSealed(context);
  const agent = { ...PERSON, isPerson: false, door: 'mcp' } as const;
  const stored = await one.engine.storeMemory(agent, { content: 'said by an agent' });
  ok('memory' in stored);
  for (const laptop of [one, two]) await laptop.sync();
  equal((await two.read(stored.memory.id))?.trust, (await one.read(stored.memory.id))?.trust);
  equal((await two.read(stored.memory.id))?.trust, 'agent');
});

test('of chosen projects, only their records travel, and the rest stays where it is', async (context) => {
  const { server, one, two } = await openSealed(context);
  const [web, api] = [
    await one.write('for the web', { project: 'web' }),
    await one.write('for the api', { project: 'api' }),
  ];
  await one.sync();
  deepEqual(await two.sync({ projects: ['web'] }).then(({ pulled, inSync }) => [pulled, inSync]), [1, true]);
  deepEqual([(await two.read(web))?.content, await two.read(api)], ['for the web', undefined]);
  const own = await two.write('of two, for the api', { project: 'api' });
  await two.engine.updateMemory(PERSON, { ref: web, content: 'for the web, changed' });
  deepEqual(await two.sync().then(({ pushed, inSync }) => [pushed, inSync]), [1, true]);
  equal((await one.sync()).inSync, true);
  deepEqual([(await one.read(web))?.content, await one.read(own)], ['for the web, changed', undefined]);
  equal((await server.engine.digestSealed(PERSON)).slots, 2);
  deepEqual(await two.sync({ projects: [] }).then(({ pulled, pushed, inSync }) => [pulled, pushed, inSync]), [
    1,
    1,
    true,
  ]);
});

test('a record outside the chosen projects of which an earlier generation was purged is left alone', async (context) => {
  const { server, one, two } = await openSealed(context);
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
  const id = await one.write(`The token is ${secret} for now`, { project: 'api', noRedact: true });
  await one.write('for the web', { project: 'web' });
  for (const laptop of [one, two]) await laptop.sync();
  await two.engine.scrubRecords(PERSON, { apply: true, all: true });
  ok((await two.store.readHeld(PERSON.space, [id]))[0]!.buried > 0);
  equal((await two.sync()).inSync, true);
  equal((await two.sync({ projects: ['web'] })).inSync, true);
  await two.engine.updateMemory(PERSON, { ref: id, content: 'The token is elsewhere' });
  deepEqual(await two.sync().then(({ pushed, sealed, inSync }) => [pushed, sealed?.sentAgain, inSync]), [0, 0, true]);
  for (let i = 0; i < 2; i++)
    deepEqual(await one.sync().then(({ inSync, sealed }) => [inSync, sealed?.sentAgain]), [true, 0]);
  match((await one.read(id))!.content, /^The token is .* for now$/);
  ok(!JSON.stringify(await one.store.readHeld(PERSON.space, [id])).includes(secret));
  equal((await server.engine.digestSealed(PERSON)).slots, 2);
});

test('a sealed space moves to another database as it is', async (context) => {
  const { server, one, two } = await openSealed(context);
  const id = await one.write('moved along');
  await one.sync();
  const target = await openMachine(context);
  const { copySpace } = await import('../../src/engine/copy-space.ts');
  type Source = Parameters<typeof copySpace>[0]['source'];
  await copySpace({
    source: server.store as unknown as Source,
    target: target.store as unknown as Source,
    space: PERSON.space,
  });
  await rejects(target.write('readable'), { code: 'space_sealed' });
  equal((await two.sync({ far: target.client(FAR) })).inSync, true);
  equal((await two.read(id))?.content, 'moved along');
  await one.write('written after the move');
  equal((await one.sync({ far: target.client(FAR) })).inSync, true);
});
