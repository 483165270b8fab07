import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeServerStore } from '../../../test/postgres/postgres-stores.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../../../test/postgres/private-postgres.ts';
import { ACTOR, put, SPACE } from '../../../test/stores/contract/sample-records.ts';
import { headOf } from '../../../test/stores/contract/store-under-test.ts';
import { runStoreContract } from '../../../test/stores/store-contract.ts';

const found = findPostgres();
if ('missing' in found) {
  test("PostgreSQL keeps the store's contract", { skip: found.missing }, () => {});
} else {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
  });
  after(() => postgres.stop());
  test('PostgreSQL gives back a segment that takes several round trips to read', async () => {
    const under = await makeServerStore(postgres);
    const bytes = randomBytes(17_000_001);
    assert.equal(
      await under.store.replaceSegments(SPACE, [], [{ id: 'a', from: 0, to: 1, passages: 1, embedder: null, bytes }]),
      true,
    );
    const [segment] = await under.store.readSegments(SPACE, ['a']);
    assert.equal(bytes.compare(segment!.bytes), 0);
    await under.destroy();
  });
  test('PostgreSQL keeps nothing of what was purged in its pages, once they are written anew', async () => {
    const under = await makeServerStore(postgres, { superuser: true });
    const { store } = under;
    const mark = 'a mark that nothing else holds';
    const chunks = Array.from({ length: 10 }, (_, i) => ({
      sha256: String(i).padStart(64, '0'),
      bytes: 1,
      lines: 1,
      alias: null,
      clean: true,
      packed: Buffer.concat([randomBytes(3000), Buffer.from(i % 5 === 0 ? mark : 'x'), randomBytes(3000)]),
    }));
    await store.chunks.put(SPACE, chunks, 1);
    headOf(await store.commit(SPACE, [put({ content: `some words and ${mark}` }, { id: 'marked' })], ACTOR));
    const [folder] = await postgres.admin("SELECT current_setting('data_directory') || '/base' AS at");
    const isInPages = async (): Promise<boolean> => {
      await postgres.admin('CHECKPOINT');
      const files = readdirSync(String(folder!.at), { recursive: true, encoding: 'utf8' });
      return files.some((name) => {
        const file = join(String(folder!.at), name);
        return statSync(file).isFile() && readFileSync(file).includes(mark);
      });
    };
    assert.equal(await isInPages(), true);
    await store.chunks.drop(SPACE, [chunks[0]!.sha256, chunks[5]!.sha256]);
    headOf(await store.commit(SPACE, [{ op: 'purge', id: 'marked' }], ACTOR));
    assert.equal((await store.eraseTraces({ rewrites: true })).length, 1);
    assert.equal(await isInPages(), false);
    assert.equal((await store.chunks.read(SPACE, [chunks[1]!.sha256])).length, 1);
    await under.destroy();
  });
  runStoreContract('PostgreSQL', () => makeServerStore(postgres));
}
