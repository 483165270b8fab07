import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { exchangeReplicas } from '../../src/client/exchange-replicas.ts';
import { exchangeSealed } from '../../src/client/sealed/exchange-sealed.ts';
import { openKeyFolder } from '../../src/client/sealed/key-file.ts';
import { fromWords, toWords } from '../../src/client/sealed/recovery-words.ts';
import type { FarVault } from '../../src/client/sealed/sealed-work.ts';
import { beginSealed, joinSealed, rotateSealed, type SealedSpace } from '../../src/client/sealed/vault-session.ts';
import { makeFolder } from '../open-test-engine.ts';
import { FAR, type Machine, openMachine, PERSON } from './open-machine.ts';

const URL = 'http://server.test';

interface Laptop extends Machine {
  space: SealedSpace;
  home: string;
  sync(over?: Partial<Parameters<typeof exchangeSealed>[0]>): ReturnType<typeof exchangeSealed>;
}

async function openLaptop(context: TestContext, server: Machine, options: { path?: string; home?: string } = {}) {
  const machine = await openMachine(context, options.path === undefined ? {} : { path: options.path });
  const home = options.home ?? makeFolder();
  const folder = openKeyFolder({ LTM_CONFIG_DIR: home });
  const far = server.client(FAR);
  const laptop: Laptop = {
    ...machine,
    home,
    space: { far, folder, url: URL, team: null, now: () => machine.clock.now() },
    sync: (over = {}) =>
      exchangeSealed({ near: machine.client(), far, folder, url: URL, now: () => machine.clock.now(), ...over }),
  };
  return laptop;
}

/** A server and two laptops, the second of which has joined with the words. */
async function openSealed(context: TestContext) {
  const server = await openMachine(context);
  const [one, two] = [await openLaptop(context, server), await openLaptop(context, server)];
  const { words } = await beginSealed(one.space, 'one');
  await joinSealed(two.space, words.join(' '), 'two');
  return { server, one, two, words };
}

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
  await rejects(exchangeReplicas({ ...one, near: one.client(), far: server.client(FAR), url: URL, now: Date.now }), {
    code: 'space_sealed',
  });
  const third = await openMachine(context);
  await third.write('would be sent readable');
  await rejects(exchangeReplicas({ near: third.client(), far: server.client(FAR), url: URL, now: Date.now }), {
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
  const before = await server.engine.digestSealed(PERSON);
  await one.sync();
  const after = await server.engine.digestSealed(PERSON);
  deepEqual([after.uploads, after.bytes < before.bytes], [2, true]);
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

type Row = Parameters<Awaited<ReturnType<typeof openMachine>>['store']['sealed']['put']>[1][number] & { seq: number };

/** A server that changes what it gives out. */
function tamper(far: FarVault, change: (uploads: Row[]) => Row[] | null): FarVault {
  return {
    ...far,
    async pullUploads(input) {
      const lines: string[] = [];
      for await (const line of await far.pullUploads(input)) lines.push(line);
      const end = lines.pop()!;
      const rows = lines.map((line) => {
        const row = JSON.parse(line) as Row & { body: string };
        return { ...row, body: Buffer.from(row.body as unknown as string, 'base64') };
      });
      const changed = change(rows);
      return (async function* () {
        for (const { body, ...row } of changed ?? rows.slice(0, 1))
          yield JSON.stringify({ ...row, body: Buffer.from(body).toString('base64') });
        if (changed !== null) yield end;
      })();
    },
  };
}

test('whatever the server changes, swaps or gives out as another is refused and named, and stays there to be looked at', async (context) => {
  const { one, two } = await openSealed(context);
  const [a, b] = [await one.write('the first'), await one.write('the second')];
  await one.sync();
  const flip = (at: (body: Uint8Array) => number) => (rows: Row[]) => {
    const body = Buffer.from(rows[0]!.body);
    body[at(body)]! ^= 1;
    return [{ ...rows[0]!, body }, ...rows.slice(1)];
  };
  const bodies = ([first, second]: Row[]) => [
    { ...first!, body: second!.body },
    { ...second!, body: first!.body },
  ];
  const tamperings: Record<string, (rows: Row[]) => Row[]> = {
    'a bit of the sealed text': flip(() => 40),
    'a bit of the salt': flip(() => 0),
    'a bit of the signature': flip((body) => body.length - 1),
    'the last bytes are cut': ([first, ...rest]) => [{ ...first!, body: first!.body.subarray(0, 60) }, ...rest],
    'two bodies change places': bodies,
    'two slots change places': ([first, second]) => [
      { ...first!, slot: second!.slot },
      { ...second!, slot: first!.slot },
    ],
    'another name of the upload': ([first, ...rest]) => [{ ...first!, upload: 'f'.repeat(32) }, ...rest],
    'another generation': ([first, ...rest]) => [{ ...first!, generation: 7 }, ...rest],
    'a purge that nobody made': ([first, ...rest]) => [{ ...first!, buried: 7 }, ...rest],
    'another machine': ([first, ...rest]) => [{ ...first!, member: 'words' }, ...rest],
    'another key': ([first, ...rest]) => [{ ...first!, keyId: '0'.repeat(16) }, ...rest],
    'another tag': ([first, ...rest]) => [{ ...first!, tag: rest[0]!.tag }, ...rest],
  };
  for (const [what, change] of Object.entries(tamperings)) {
    const fresh = await openLaptop(context, { ...one, client: one.client } as Machine, { home: two.home });
    const report = await exchangeSealed({
      ...{ near: fresh.client(), far: tamper(two.space.far as FarVault, change), folder: two.space.folder },
      ...{ url: URL, now: () => fresh.clock.now(), dryRun: true },
    });
    ok(report.refusedCount >= 1, what);
    match(report.refused[0]!.why, /seal|signature|machine|key|slot/, what);
  }
  const report = await two.sync({ far: tamper(two.space.far as FarVault, tamperings['two bodies change places']!) });
  deepEqual([report.refusedCount, report.pulled, report.inSync], [2, 0, false]);
  deepEqual([await two.read(a), await two.read(b)], [undefined, undefined]);
  deepEqual(await two.sync().then(({ refusedCount, inSync }) => [refusedCount, inSync]), [0, true]);
  deepEqual([(await two.read(a))?.content, (await two.read(b))?.content], ['the first', 'the second']);
  const far = tamper(two.space.far as FarVault, () => null);
  await one.write('a third');
  await one.sync();
  await rejects(two.sync({ far }), /cut off/);
});

test('an upload that could not be opened is not lost when its record is changed elsewhere', async (context) => {
  const { one, two } = await openSealed(context);
  const id = await one.write('first');
  for (const laptop of [one, two]) await laptop.sync();
  await one.engine.updateMemory(PERSON, { ref: id, content: 'of one' });
  await one.sync();
  const flip = (rows: Row[]) => rows.map((row) => ({ ...row, body: Buffer.from(row.body).fill(0, 40, 50) }));
  await two.engine.updateMemory(PERSON, { ref: id, content: 'of two' });
  equal((await two.sync({ far: tamper(two.space.far as FarVault, flip) })).refusedCount, 1);
  for (const laptop of [two, one, two]) equal((await laptop.sync()).inSync, true);
  const [conflict] = await one.engine.listForks(PERSON);
  deepEqual(conflict?.texts.map(({ content }) => content).sort(), ['of one', 'of two']);
});

test('what the server has lost, or gives out in an old state, is noticed, named and sent again', async (context) => {
  const { server, one, two } = await openSealed(context);
  const id = await one.write('the first');
  await one.write('the second');
  for (const laptop of [one, two]) await laptop.sync();
  const [old] = await server.store.sealed.read(
    PERSON.space,
    (await server.store.sealed.listSlots(PERSON.space, { after: '', limit: 9 })).map(({ upload }) => upload),
  );
  await server.store.eraseTraces();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(server.path);
  database.exec('DELETE FROM sealed WHERE seq = 1');
  const report = await two.sync();
  deepEqual([report.sealed?.sentAgain, report.inSync], [1, true]);
  await one.engine.updateMemory(PERSON, { ref: id, content: 'the first, changed' });
  for (const laptop of [one, two]) equal((await laptop.sync()).inSync, true);
  // An old upload of the record comes back.
  database
    .prepare(
      "INSERT INTO sealed SELECT space_id, 'f00d', slot, seq + 100, generation, buried, key_id, member, tag, link, user_id, stored_at, body, NULL FROM sealed WHERE upload = ?",
    )
    .run(old!.upload);
  database.close();
  for (const laptop of [one, two]) await laptop.sync();
  equal((await two.read(id))?.content, 'the first, changed');
});

test('a check opens all that the server keeps, and brings back what it has only the name of', async (context) => {
  const { server, one, two } = await openSealed(context);
  await one.write('the first');
  await one.write('the second');
  for (const laptop of [one, two]) await laptop.sync();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(server.path);
  database.exec('UPDATE sealed SET body = zeroblob(400), crc = NULL WHERE seq = 1');
  database.exec('UPDATE sealed SET body = zeroblob(400) WHERE seq = 2');
  database.close();
  match((await server.store.verify()).database.join(), /sealed upload .* is damaged/);
  const report = await two.sync({ isChecked: true });
  deepEqual([report.refusedCount, report.sealed?.sentAgain, report.inSync], [1, 2, true]);
  deepEqual(
    await two.sync({ isChecked: true }).then(({ refusedCount, sealed }) => [refusedCount, sealed?.sentAgain]),
    [0, 0],
  );
  const fresh = await openLaptop(context, server, { home: one.home });
  equal((await fresh.sync()).inSync, true);
  equal((await fresh.engine.listMemories(PERSON, {})).total, 2);
});

test('what no key opens any more is named until it is discarded', async (context) => {
  const { server, one, two } = await openSealed(context);
  const id = await one.write('lost on its way');
  await one.sync();
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(server.path);
  database.exec('UPDATE sealed SET body = zeroblob(400), crc = NULL WHERE seq = 1');
  database.close();
  for (let i = 0; i < 2; i++)
    deepEqual(await two.sync().then(({ refusedCount, inSync }) => [refusedCount, inSync]), [1, false]);
  const report = await two.sync({ isChecked: true, isDiscarding: true });
  deepEqual([report.refusedCount, report.inSync], [1, true]);
  equal((await server.engine.digestSealed(PERSON)).uploads, 0);
  equal((await one.sync()).sealed?.sentAgain, 1);
  equal((await two.sync()).inSync, true);
  equal((await two.read(id))?.content, 'lost on its way');
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
  const { copySpace } = await import('../../src/engine/exchange/copy-space.ts');
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

test('a new key: machines that stay are given it, one that was taken off reads nothing that comes after', async (context) => {
  const { server, one, two, words } = await openSealed(context);
  const three = await openLaptop(context, server);
  await joinSealed(three.space, words.join(' '), 'three');
  const id = await one.write('before the new key');
  for (const laptop of [one, two, three]) await laptop.sync();
  const stolen = readFileSync(join(three.home, 'sealed', readdirSync(join(three.home, 'sealed'))[0]!), 'utf8');
  const { words: next, revoked } = await rotateSealed(one.space, { revoke: ['three'], newWords: true });
  deepEqual([revoked, next?.length], [['three'], 24]);
  const report = await one.sync();
  deepEqual(
    [report.sealed?.epoch, report.sealed?.sentAgain, report.sealed?.leftToReseal, report.inSync],
    [2, 1, 0, true],
  );
  const after = await one.write('after the new key');
  await one.sync();
  equal((await two.sync()).inSync, true);
  deepEqual(
    [(await two.read(id))?.content, (await two.read(after))?.content],
    ['before the new key', 'after the new key'],
  );
  await three.write('of the one that was taken off');
  await rejects(three.sync(), /taken off/);
  equal(await three.read(after), undefined);
  ok(JSON.parse(stolen).keyrings.length >= 2);
  const keys = Object.keys((await server.engine.digestSealed(PERSON)).keys);
  equal(keys.length, 1);
  const fresh = await openLaptop(context, server);
  await rejects(joinSealed(fresh.space, words.join(' '), 'fresh'), { code: 'forbidden' });
  await joinSealed(fresh.space, next!.join(' '), 'fresh');
  equal((await fresh.sync()).inSync, true);
  equal((await fresh.read(after))?.content, 'after the new key');
  const earlier = (await server.store.sealed.list(PERSON.space, { after: 0, without: null, limit: 9, bytes: 1e9 }))
    .uploads;
  await rejects(
    server.engine.takeUploads(FAR, {
      link: 'x',
      keyId: '0'.repeat(16),
      upTo: 0,
      lines: [JSON.stringify({ ...earlier[0], body: 'AAAA' })],
    }),
    { code: 'conflict' },
  );
});

test('sealing anew that ends in the middle goes on where it was', async (context) => {
  const { server, one, two } = await openSealed(context);
  for (let i = 0; i < 30; i++) await one.write(`memory ${i}`);
  for (const laptop of [one, two]) await laptop.sync();
  await rotateSealed(one.space, { revoke: [], newWords: false });
  const far = one.space.far as FarVault;
  const broken: FarVault = {
    ...far,
    pushUploads: async (input) => {
      await far.pushUploads({ ...input, lines: [...(input.lines as string[])].slice(0, 10) });
      throw new Error('the connection broke');
    },
  };
  await rejects(one.sync({ far: broken }), /broke/);
  equal(Object.keys((await server.engine.digestSealed(PERSON)).keys).length, 2);
  const report = await two.sync();
  deepEqual([report.sealed?.sentAgain, report.sealed?.leftToReseal, report.inSync], [20, 0, true]);
  equal((await one.sync()).inSync, true);
});

test('a list of keys that no machine of the space has made is not believed', async (context) => {
  const { server, one, two } = await openSealed(context);
  await one.write('first');
  await one.sync();
  const { keyrings } = await one.space.far.readKeyrings({});
  const last = JSON.parse(keyrings.at(-1)!.text);
  const forged = { ...last, revision: last.revision + 1, epoch: last.epoch + 1 };
  const showing = (list: typeof keyrings): FarVault => ({
    ...(two.space.far as FarVault),
    readKeyrings: async () => ({ keyrings: list }),
  });
  const text = JSON.stringify(forged);
  await rejects(two.sync({ far: showing([...keyrings, { revision: forged.revision, keyId: forged.keyId, text }]) }), {
    code: 'conflict',
  });
  const swapped = keyrings.map((one) => ({ ...one, text: one.text.replace('two', 'owt') }));
  await rejects(two.sync({ far: showing(swapped) }), /another list of keys/);
  await rejects(two.sync({ far: showing([keyrings[0]!, { ...keyrings[1]!, revision: 3 }]) }), { code: 'conflict' });
  const fresh = await openLaptop(context, server);
  await rejects(fresh.sync(), { code: 'space_sealed' });
  await rejects(joinSealed(fresh.space, toWords(Buffer.alloc(24, 7)).join(' '), 'fresh'), /not the recovery words/);
});

test('a laptop and a server that were put back from backups go on, and nothing that was purged comes back', async (context) => {
  const { server, one, two } = await openSealed(context);
  const id = await one.write('to be purged');
  for (const laptop of [one, two]) await laptop.sync();
  await server.engine.close();
  const { copyFileSync } = await import('node:fs');
  copyFileSync(server.path, `${server.path}.copy`);
  const later = await openMachine(context, { path: server.path });
  const on = (to: Machine) => ({ far: to.client(FAR) });
  await one.sync(on(later));
  await one.engine.purge(PERSON, { refs: [id] });
  const kept = await one.write('kept');
  await one.sync(on(later));
  await rotateSealed({ ...one.space, ...on(later) }, { revoke: [], newWords: false });
  await one.sync(on(later));
  const old = await openMachine(context, { path: `${server.path}.copy` });
  const report = await one.sync(on(old));
  deepEqual([report.renewed, report.inSync], ['there', true]);
  equal((await two.sync(on(old))).inSync, true);
  deepEqual([await two.read(id), (await two.read(kept))?.content], [undefined, 'kept']);
});

test('words with a slip in them are refused with the place of it; their first four letters are enough', () => {
  const secret = Buffer.from('00112233445566778899aabbccddeeff0123456789abcdef', 'hex');
  const words = toWords(secret);
  equal(words.length, 24);
  deepEqual(fromWords(words.map((word) => word.slice(0, 4).toUpperCase()).join(', ')), secret);
  match(String(new Error()), /Error/);
  for (const [wrong, said] of [
    [words.slice(1), /24 recovery words, and these are 23/],
    [['nonsense', ...words.slice(1)], /Word 1 is none/],
    [[words[1]!, words[0]!, ...words.slice(2)], /do not fit together/],
  ] as const)
    try {
      fromWords(wrong.join(' '));
      ok(false, 'it was taken');
    } catch (error) {
      match(String(error), said);
    }
});
