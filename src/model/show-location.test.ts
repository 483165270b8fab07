import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isDatabaseUrl, showLocation } from './show-location.ts';

test('shows a path as it is, and of an address nothing that could be a secret', () => {
  equal(showLocation('/home/ada/memory.db'), '/home/ada/memory.db');
  equal(
    showLocation('postgres://ada:secret@db.example:5433/ltm?password=secret&schema=x'),
    'postgres://db.example:5433/ltm',
  );
  equal(showLocation('postgres://ada:se/cr@et:9:9/ltm'), 'postgres://…');
  equal(isDatabaseUrl('C:\\data\\memory.db'), false);
});
