import { deepEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeFolder } from '../open-test-engine.ts';
import { findPostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { runDifferential } from './run-differential.ts';

const found = findPostgres();

test('1,000 random operations give the same answers on SQLite and PostgreSQL', {
  skip: 'missing' in found ? found.missing : false,
}, async () => {
  const postgres = await startPrivatePostgres();
  after(() => postgres.stop());
  const locations = [join(makeFolder(), 'memory.db'), postgres.url()] as const;
  const { operations, differences } = await runDifferential({ locations, operations: 1000, seed: 20260115 });
  deepEqual({ operations, differences }, { operations: 1000, differences: [] });
});
