import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { readConnectionUrl } from './connection-url.ts';

test('takes its own parameters out of the address and shows none of the secrets', () => {
  deepEqual(
    readConnectionUrl(
      'postgres://ada:secret@db.example:5433/ltm?sslmode=verify-full&schema=team&pool_size=3&prepare=false',
    ),
    {
      secretUrl: 'postgres://ada:secret@db.example:5433/ltm?sslmode=verify-full',
      schema: 'team',
      poolSize: 3,
      prepares: false,
      location: 'postgres://db.example:5433/ltm?schema=team',
    },
  );
});

test('needs no parameter: a schema of its own, ten connections, prepared statements', () => {
  const { schema, poolSize, prepares, location } = readConnectionUrl('postgresql:///ltm?host=/run/postgresql');
  deepEqual(
    { schema, poolSize, prepares, location },
    { schema: 'ltm', poolSize: 10, prepares: true, location: 'postgres:///run/postgresql/ltm' },
  );
});

test('refuses what cannot be meant', () => {
  for (const query of [
    'schema=',
    `schema=${'x'.repeat(64)}`,
    'schema=pg_own',
    'pool_size=0',
    'pool_size=2.5',
    'pool_size=many',
    'prepare=no',
  ]) {
    throws(() => readConnectionUrl(`postgres://db/ltm?${query}`), { code: 'storage_unsupported' }, query);
  }
});
