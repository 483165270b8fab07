import { hashOf, invite, settle, token } from './stores/contract/sample-identities.ts';
import { ACTOR, change, put, START, vector } from './stores/contract/sample-records.ts';
import { type FullStore, headOf } from './stores/contract/store-under-test.ts';

/** Records of every sort in two spaces, answers that are remembered, counted reads, people, teams, tokens, OAuth. */
export async function fillStore(store: FullStore): Promise<void> {
  for (const space of ['ann', 'crew']) {
    const kept = Array.from({ length: 30 }, (_, i) =>
      put(
        {
          content: `The harbour light number ${i} of ${space} \u0000\u{1F980} is red.`,
          tags: ['t', `n${i}`],
          key: i % 7 === 0 ? `k${i}` : null,
        },
        { vectors: [vector(0)] },
      ),
    );
    headOf(await store.commit(space, kept, ACTOR));
    headOf(
      await store.commit(
        space,
        [
          change(
            (await store.getRecords(space, [kept[0]!.id]))[0]!,
            { content: 'It is green now.' },
            { reason: 'painted' },
          ),
        ],
        ACTOR,
      ),
    );
    headOf(
      await store.commit(
        space,
        [
          { op: 'delete', id: kept[1]!.id, at: START },
          { op: 'purge', id: kept[2]!.id },
        ],
        ACTOR,
      ),
    );
    const relation = {
      from: kept[5]!.id,
      to: kept[4]!.id,
      type: 'about',
      weight: 0.5,
      body: { a: 1 },
      createdAt: START,
    };
    headOf(
      await store.commit(
        space,
        [
          { op: 'relate', relation },
          { op: 'receipt', key: 'r1', fingerprint: 'f', answer: { id: kept[3]!.id }, at: START },
        ],
        ACTOR,
      ),
    );
    await store.recordReads(space, [kept[6]!.id], START);
  }
  await settle(store);
  await store.changeIdentity(
    [
      { op: 'set_password', userId: 'ann', hash: 'scrypt$x' },
      { op: 'add_token', token: token('t1', { teamId: 'crew' }) },
      { op: 'add_invite', invite: invite('i1') },
      {
        op: 'add_link',
        link: { sha256: hashOf('link'), space: 'crew', recordId: 'r1', createdAt: START, userId: 'ann' },
      },
    ],
    'ann',
  );
  await store.keepSecret('cookie_keys', 'secret');
  await store.putArtifact({
    model: 'Grant',
    id: 'g1',
    payload: { a: [1] },
    grantId: 'g1',
    userCode: null,
    uid: null,
    userId: 'ann',
    expiresAt: START,
    consumedAt: null,
  });
}
