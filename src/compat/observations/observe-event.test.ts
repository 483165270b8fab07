import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import { createScreen, type Sent } from './observe-event.ts';

const RULES = { excludeTools: [], excludePaths: [], excludeProjects: [], patterns: [], replacesSecrets: true };
const SENT: Sent = {
  event: 'tool',
  session: 's1',
  project: 'web',
  directory: null,
  agent: 'longmem',
  useId: null,
  tool: { name: 'Bash', input: { command: 'ls' }, response: 'README.md' },
};
const NOON = Date.parse('2026-03-02T12:00:00Z');
const HOUR = 3_600_000;

function openScreen() {
  let passed = 0;
  const screen = createScreen(RULES, () => passed);
  const keyOf = (sent: Sent, now: number): string => {
    const screened = screen(sent, now);
    assert.ok('event' in screened);
    return screened.event.key;
  };
  const wait = (ms: number): void => {
    passed += ms;
  };
  return { keyOf, wait };
}

test('an event that is sent again within ten seconds is the same, whatever happens to the clock meanwhile', () => {
  for (const jump of [0, HOUR, -HOUR]) {
    const { keyOf, wait } = openScreen();
    const key = keyOf(SENT, NOON);
    wait(9_000);
    assert.equal(keyOf(SENT, NOON + 9_000 + jump), key);
  }
});

test('said again later it is another, though the clock was set back', () => {
  const { keyOf, wait } = openScreen();
  const key = keyOf(SENT, NOON);
  wait(11_000);
  assert.notEqual(keyOf(SENT, NOON - HOUR), key);
  assert.notEqual(keyOf({ ...SENT, session: 's2' }, NOON), key);
});

test('what a door has looked at holds for these very texts: in an event that was changed afterwards secrets are replaced', async (t) => {
  const { engine } = await openTestEngine(t);
  const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
  const screened = createScreen(RULES)(SENT, NOON);
  assert.ok('event' in screened);
  const { event } = screened;
  const planted = {
    key: 'planted',
    text: `use ${token}`,
    tool: { name: 'Bash', input: { command: `login ${token}` }, output: `README.md ${token}` },
  };
  const caller = makeCaller('rest');
  const { recorded } = await engine.recordEvents(caller, [event, { ...event, ...planted }], screened.screened);
  assert.equal(recorded, 2);
  const { items } = await engine.listRecords(caller, { kind: 'observation' });
  assert.equal(items.length, 2);
  assert.ok(!JSON.stringify(items).includes(token));
  assert.equal(JSON.stringify(items).split('[redacted:').length > 3, true);
});
