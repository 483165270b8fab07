import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fromWords, toWords } from '../../src/features/sync/sealed/recovery-words.ts';
import type { FarVault } from '../../src/features/sync/sealed/sealed-work.ts';
import { joinSealed, rotateSealed } from '../../src/features/sync/sealed/vault-session.ts';
import { FAR, type Machine, openMachine, PERSON } from './open-machine.ts';
import { openLaptop, openSealed } from './open-sealed.ts';

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
