// Every tool and every route of mcp-memory-service, asked for in turn, over HTTP: on SQLite, and on PostgreSQL.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT_ROUTES } from '../../src/compat/service/routes/root-routes.ts';
import { SERVICE_ROUTES } from '../../src/compat/service/routes/service-routes.ts';
import { findPostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { KEY, type RestClient, startService } from './rest-client.ts';
import { walkRoutes, walkTools } from './service-walk.ts';

const VERSIONS = JSON.parse(readFileSync(join(import.meta.dirname, 'tools-of-both-versions.json'), 'utf8')) as Record<
  string,
  object
>;

async function walk(rest: RestClient): Promise<void> {
  const called = await walkTools(rest);
  for (const name of Object.values(VERSIONS).flatMap(Object.keys)) assert.ok(called.has(name), `${name} is not called`);
  const asked = await walkRoutes(rest);
  const offered = [
    ...SERVICE_ROUTES.map(({ at }) => at.replace(' ', ' /api')),
    ...ROOT_ROUTES.map(({ at }): string => at),
  ];
  for (const at of offered) assert.ok(asked.has(at), `${at} is not asked for`);
  assert.deepEqual((await rest.send('GET', '/api/nowhere')).status, 404);
}

test('every tool and every route of the service answers on SQLite', async (t) => {
  const rest = await startService();
  t.after(() => rest.close());
  await walk(rest);
});

const found = findPostgres();
const skip = 'missing' in found ? found.missing : false;

test('every tool and every route of the service answers on PostgreSQL', { skip }, async (t) => {
  const postgres = await startPrivatePostgres();
  t.after(() => postgres.stop());
  const rest = await startService({ MCP_API_KEY: KEY, LTM_DB: postgres.url() });
  t.after(() => rest.close());
  await walk(rest);
});
