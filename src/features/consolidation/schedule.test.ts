import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAgeingEngine } from '../../../test/open-ageing-engine.ts';
import { DAY, makeCaller, makeClock } from '../../../test/open-test-engine.ts';
import { nextAfter } from './next-after.ts';
import { readSchedule } from './read-schedule.ts';

const caller = makeCaller('cli');
const open = openAgeingEngine;

test('nothing runs by itself unless a schedule says so; then each horizon runs once when it is due, also after a long sleep', async (t) => {
  const off = await open(t);
  await off.store('A note.');
  off.clock.run(40 * DAY);
  assert.equal((await off.engine.runUpkeep()).consolidated, 0);
  assert.deepEqual((await off.engine.readConsolidationStatus(caller)).isScheduled, false);

  const clock = makeClock();
  const on = await open(t, { clock, settings: { consolidationSchedule: ['daily 02:00', 'weekly SUN 03:00'] } });
  await on.store('A note that is looked at.');
  assert.equal((await on.engine.runUpkeep()).consolidated, 0);
  clock.run(14.5 * 3_600_000);
  assert.equal((await on.engine.runUpkeep()).consolidated, 1);
  assert.equal((await on.engine.runUpkeep()).consolidated, 0);
  clock.run(20 * DAY);
  assert.equal((await on.engine.runUpkeep()).consolidated, 2);
  const paused = await on.engine.pauseConsolidation(caller, { horizon: 'daily', isPaused: true });
  assert.deepEqual(
    paused.horizons.map(({ isPaused }) => isPaused),
    [true, false, false, false, false],
  );
  clock.run(2 * DAY);
  assert.equal((await on.engine.runUpkeep()).consolidated, 0);
  await on.engine.pauseConsolidation(caller, { isPaused: false });
  assert.equal((await on.engine.runUpkeep()).consolidated, 1);
  const { runs } = await on.engine.readConsolidationStatus(caller);
  assert.deepEqual(
    runs.map(({ purpose, state, by }) => [purpose, state, by]),
    [
      ['daily', 'done', 'job:consolidate'],
      ['weekly', 'done', 'job:consolidate'],
      ['daily', 'done', 'job:consolidate'],
      ['daily', 'done', 'job:consolidate'],
    ],
  );
});

test('schedules are read by the clock on the wall, summer time and short months included', () => {
  const next = (text: string, from: string, zone = 'UTC') =>
    new Date(nextAfter(readSchedule(text)!, Date.parse(from), zone)).toISOString();
  assert.equal(next('daily 02:00', '2026-01-15T12:00:00Z'), '2026-01-16T02:00:00.000Z');
  assert.equal(next('daily 02:00', '2026-07-01T12:00:00Z', 'Europe/Berlin'), '2026-07-02T00:00:00.000Z');
  assert.equal(next('weekly SUN 03:00', '2026-01-15T12:00:00Z'), '2026-01-18T03:00:00.000Z');
  assert.equal(next('monthly 31 04:00', '2026-02-01T00:00:00Z'), '2026-02-28T04:00:00.000Z');
  assert.equal(next('quarterly 01 05:00', '2026-01-15T12:00:00Z'), '2026-04-01T05:00:00.000Z');
  assert.equal(next('yearly 03-01 06:00', '2026-03-01T06:00:00Z'), '2027-03-01T06:00:00.000Z');
  for (const wrong of ['daily', 'daily 25:00', 'weekly XXX 03:00', 'hourly 01:00', 'yearly 13-01 06:00'])
    assert.equal(readSchedule(wrong), null);
});
