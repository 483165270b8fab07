import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KIND_TABLE } from '../../../../test/all-kinds.ts';
import { makeCaller, openTestEngine } from '../../../../test/open-test-engine.ts';
import type { EngineParts } from '../../../engine/engine-parts.ts';
import { EngineError } from '../../../model/errors.ts';
import { estimateTokens } from '../../../model/estimate-tokens.ts';
import { DEFAULT_SETTINGS } from '../../default-settings.ts';
import { getContext } from './get-context.ts';
import { isSameTopic, isVague, readTopic } from './topic.ts';

const caller = makeCaller('rest');

describe('what takes too long or fails gives nothing', () => {
  const parts = (search: unknown, said: object = {}) =>
    ({
      search,
      settings: { ...DEFAULT_SETTINGS, ...said },
      kinds: KIND_TABLE,
      log: { info() {}, warn() {}, error() {} },
    }) as unknown as EngineParts;
  const request = { project: 'p', prompt: 'how does the login work' };

  test('a search that never ends is given up, whatever it waits for', async () => {
    const search = () => new Promise<never>(() => {});
    const { reason, context } = await getContext(parts(search), caller, { ...request, timeoutMs: 5 });
    assert.deepEqual([reason, context], ['timeout', null]);
  });

  test('one that ends too late, without ever letting go of the processor, comes to nothing too', async () => {
    const search = async () => {
      const until = performance.now() + 20;
      while (performance.now() < until);
      throw new EngineError('busy', 'never seen');
    };
    const { reason } = await getContext(parts(search), caller, { ...request, timeoutMs: 5 });
    assert.ok(reason === 'timeout' || reason === 'error');
  });

  test('a store that fails is a reason, not an exception', async () => {
    const search = async () => {
      throw new EngineError('storage_damaged', 'x');
    };
    assert.equal((await getContext(parts(search), caller, { ...request, timeoutMs: 60_000 })).reason, 'error');
  });

  test('a setting of 0 turns it off, and whoever may not read is refused', async () => {
    const search = () => Promise.reject(new Error('not asked'));
    for (const said of [{ contextMaxEntries: 0 }, { contextMaxTokens: 0 }])
      assert.equal((await getContext(parts(search, said), caller, request)).reason, 'disabled');
    const nobody = { ...caller, scopes: new Set<never>() };
    await assert.rejects(getContext(parts(search), nobody, request), { code: 'forbidden' });
  });
});

describe('a topic', () => {
  const before = [readTopic('Why is the login test of the web shop so slow?')];
  const rows: readonly (readonly [string, boolean])[] = [
    ['Is the login test slow because of the database?', true],
    ['ok go on', true],
    ['continue please', true],
    ['Write a migration that adds invoices to the billing schema', false],
    ['请解释一下发票的迁移脚本怎么写', false],
  ];
  for (const [prompt, isSame] of rows)
    test(`${prompt}: ${isSame ? 'the same' : 'another'}`, () =>
      assert.equal(isSameTopic(readTopic(prompt), before), isSame));

  test('nothing was said before: it is new; nothing is said now: it is vague', () => {
    assert.equal(isSameTopic(readTopic('login test'), []), false);
    assert.deepEqual(
      ['go on', 'fix it', ''].map((text) => isVague(readTopic(text))),
      [true, true, true],
    );
    assert.equal(isVague(readTopic('重试上传')), false);
  });
});

test('tokens are estimated on the high side', () => {
  assert.equal(estimateTokens(''), 0);
  assert.equal(estimateTokens('The login is slow.'), 5);
  assert.ok(estimateTokens('01m7hxxq8t0t7xwrhtxf') >= 10);
  assert.ok(estimateTokens('数据库迁移') >= 5);
});

test('patterns of one’s own are replaced in what is given, and accounts are no notes', async (t) => {
  const { engine } = await openTestEngine(t, { settings: { privacyPatterns: ['ACME-\\d+'] } });
  await engine.storeMemory(caller, { content: 'Never deploy ACME-4711 on Fridays.', type: 'preference' });
  const { context } = await engine.getContext(caller, { event: 'start', timeoutMs: 60_000 });
  assert.match(context!, /Never deploy \[redacted:custom\] on Fridays/);
});

test('a line is given once to a session, by whichever process', async (t) => {
  const first = await openTestEngine(t);
  await first.engine.storeMemory(caller, { content: 'Always use pnpm.', type: 'preference' });
  const second = await openTestEngine(t, { path: first.path });
  const request = { session: 's', event: 'start', timeoutMs: 60_000 } as const;
  const given = await Promise.all([
    first.engine.getContext(caller, request),
    second.engine.getContext(caller, request),
  ]);
  assert.deepEqual(given.map(({ reason }) => reason).sort(), ['empty', 'recency']);
});
