import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { engineError, makeCaller, silentLog } from '../../test/open-test-engine.ts';
import type { Scope } from '../model/caller.ts';
import type { Role } from '../model/identity.ts';
import { type Authenticate, callerOf, type Proof } from './authenticate.ts';
import { createStreamGuard, IDLE, type StreamGuard } from './stream-guard.ts';

interface World {
  guard: StreamGuard;
  /** What the credential proves from now on; null: it is refused. */
  proof: Proof | null;
  asked: number;
  fails: boolean;
}

function proofOf(scopes: Scope[], teams: Record<string, Role> = {}): Proof {
  const memberships = Object.entries(teams).map(([teamId, role]) => ({
    teamId,
    userId: 'ada',
    role,
    joinedAt: 1,
    team: { id: teamId, name: teamId, ownerId: 'ada', createdAt: 1 },
  }));
  return {
    credential: { kind: 'personal', id: 't', userId: 'ada', scopes, teamId: null, agent: null, clientId: null },
    memberships,
  };
}

function makeWorld(proof: Proof): World {
  const authenticate: Authenticate = async () => {
    world.asked += 1;
    if (world.fails) throw new Error('busy');
    return world.proof === null
      ? { outcome: 'refused', reason: 'revoked' }
      : { outcome: 'accepted', proof: world.proof };
  };
  const world: World = {
    guard: createStreamGuard(authenticate, { log: silentLog, most: 5000 }),
    proof,
    asked: 0,
    fails: false,
  };
  return world;
}

const callerIn = (proof: Proof) => callerOf(proof, { door: 'mcp' });

test('a stream is gone five seconds after its credential was refused', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const world = makeWorld(proofOf(['read']));
  const { signal } = world.guard.hold('Bearer a', callerIn(world.proof!));
  for (let second = 0; second < 20; second++) {
    t.mock.timers.tick(1000);
    await nextTurn();
  }
  assert.ok(world.asked > 1);
  assert.equal(signal.aborted, false);
  world.proof = null;
  t.mock.timers.tick(5000);
  await nextTurn();
  assert.equal(signal.aborted, true);
  assert.equal(world.guard.countOf('ada'), 0);
});

test('a stream ends when the credential opens other spaces or allows less than at the start', async () => {
  const changes: [Proof, Proof][] = [
    [proofOf(['read'], { crew: 'member' }), proofOf(['read'])],
    [proofOf(['read'], { crew: 'member' }), proofOf(['read'], { crew: 'reader' })],
    [proofOf(['read', 'write']), proofOf(['write'])],
    [proofOf(['read']), proofOf(['read'], { crew: 'reader' })],
  ];
  for (const [before, after] of changes) {
    const world = makeWorld(before);
    const { signal } = world.guard.hold('Bearer a', callerIn(before));
    await world.guard.lookNow();
    assert.equal(signal.aborted, false);
    world.proof = after;
    await world.guard.lookNow();
    assert.equal(signal.aborted, true);
  }
});

test('a database that is busy for a moment ends nothing', async () => {
  const world = makeWorld(proofOf(['read']));
  const { signal } = world.guard.hold('Bearer a', callerIn(world.proof!));
  world.fails = true;
  await world.guard.lookNow();
  assert.equal(signal.aborted, false);
});

test('a credential with many streams is looked at once, and not at all when they are over', async () => {
  const world = makeWorld(proofOf(['read']));
  const streams = Array.from({ length: 50 }, () => world.guard.hold('Bearer a', callerIn(world.proof!)));
  assert.equal(world.guard.countOf('ada'), 50);
  await world.guard.lookNow();
  assert.equal(world.asked, 1);
  for (const { release } of streams) release();
  await world.guard.lookNow();
  assert.equal(world.asked, 1);
  assert.equal(world.guard.countOf('ada'), 0);
});

test('a stream in which nothing is said for fifteen minutes ends; one that nobody watches over does not', async () => {
  const proof = proofOf(['read']);
  let now = 0;
  const guard = createStreamGuard(async () => ({ outcome: 'accepted', proof }), {
    log: silentLog,
    most: 10,
    elapsed: () => now,
  });
  const [idle, used, plain] = [1, 2, 3].map(() => guard.hold('Bearer a', callerIn(proof)));
  idle!.touch();
  used!.touch();
  now = 14 * 60_000;
  used!.touch();
  await guard.lookNow();
  assert.equal(guard.countOf('ada'), 3);
  now = 16 * 60_000;
  await guard.lookNow();
  assert.deepEqual([idle!.signal.reason, used!.signal.aborted, plain!.signal.aborted], [IDLE, false, false]);
  assert.equal(guard.countOf('ada'), 2);
});

test('closing the guard ends every stream', () => {
  const world = makeWorld(proofOf(['read']));
  const signals = ['Bearer a', 'Bearer b'].map((header) => world.guard.hold(header, makeCaller()).signal);
  world.guard.close();
  assert.ok(signals.every((signal) => signal.aborted));
});

test('a person with too many streams gets no more until one is over', () => {
  const { guard } = makeWorld(proofOf(['read']));
  const streams = Array.from({ length: 2000 }, () => guard.hold('Bearer a', makeCaller()));
  assert.throws(() => guard.hold('Bearer b', makeCaller()), engineError('rate_limited'));
  streams[0]!.release();
  streams[0]!.release();
  guard.hold('Bearer b', makeCaller());
  assert.throws(() => guard.hold('Bearer b', makeCaller()), engineError('rate_limited'));
});

test('a server with as many streams as it takes refuses the next one for a while, whoever asks; answers are not counted', () => {
  const guard = createStreamGuard(async () => ({ outcome: 'refused', reason: 'unknown' }), {
    log: silentLog,
    most: 3,
  });
  const hold = (userId: string) => guard.hold(`Bearer ${userId}`, makeCaller('mcp', { userId }));
  const [first] = ['ada', 'bob', 'cyd'].map(hold);
  for (const who of ['ada', 'dan'])
    assert.throws(() => hold(who), engineError('busy', /has 3 streams open/, { limit: 3, retry_after: 30 }));
  for (let i = 0; i < 10; i++) guard.holdAnswer('Bearer dan', makeCaller('mcp', { userId: 'dan' }));
  assert.equal(guard.countOf('dan'), 0);
  first!.release();
  hold('dan').release();
  hold('eve');
  assert.throws(() => hold('dan'), engineError('busy'));
  guard.close();
  hold('dan');
});
