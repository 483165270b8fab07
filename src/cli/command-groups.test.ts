import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_GROUPS } from './command-groups.ts';
import { COMMANDS } from './command-table.ts';

test('every command stands in one group of the help, and no group names one that is not there', () => {
  const grouped = COMMAND_GROUPS.flatMap(({ names }) => names);
  assert.deepEqual(grouped.toSorted(), COMMANDS.map(({ name }) => name).toSorted());
});
