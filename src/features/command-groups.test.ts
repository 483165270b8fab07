import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_GROUPS, tellTwinsApart } from './command-groups.ts';
import { COMMANDS } from './command-table.ts';

test('every command stands in one group of the help, and no group names one that is not there', () => {
  const grouped = COMMAND_GROUPS.flatMap(({ names }) => names);
  assert.deepEqual(grouped.toSorted(), COMMANDS.map(({ name }) => name).toSorted());
});

test('the help of commands that sound alike says what tells them apart', () => {
  for (const [one, other] of [
    ['store', 'save'],
    ['list', 'ls'],
    ['get', 'show'],
    ['delete', 'rm'],
    ['serve', 'server'],
    ['token', 'tokens'],
  ] as const) {
    assert.equal(tellTwinsApart(one), tellTwinsApart(other));
    assert.match(tellTwinsApart(one) ?? '', new RegExp(`\\bltm ${one}\\b.*\\bltm ${other}\\b`));
  }
  assert.equal(tellTwinsApart('search'), null);
});
