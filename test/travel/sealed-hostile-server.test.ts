import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { exchangeSealed } from '../../src/features/sync/sealed/exchange-sealed.ts';
import type { FarVault } from '../../src/features/sync/sealed/sealed-work.ts';
import { type Machine, type openMachine, PERSON } from './open-machine.ts';
import { openLaptop, openSealed, SERVER_URL } from './open-sealed.ts';

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
      near: fresh.client(),
      far: tamper(two.space.far as FarVault, change),
      folder: two.space.folder,
      url: SERVER_URL,
      now: () => fresh.clock.now(),
      dryRun: true,
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
