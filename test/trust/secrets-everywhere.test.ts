import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { makeServeFolder, type ServeProcess, startServe } from '../e2e/serve-process.ts';
import { fillIn, listPlaces, makeSecret, type Schema } from './plant-secrets.ts';

/** A caller who asks this fast would be told to wait. */
const UNLIMITED = { LTM_WRITES_PER_MINUTE: '0', LTM_READS_PER_MINUTE: '0' };

let folder: string;
let server: ServeProcess;
let token: string;
let ids: [string, string];
let request: (method: string, path: string, body?: unknown) => Promise<Response>;

before(async () => {
  folder = makeServeFolder(null);
  server = await startServe(
    folder,
    ['--db', join(folder, 'memory.db'), '--tools', 'all', '--log-level', 'debug'],
    UNLIMITED,
  );
  token = readFileSync(join(folder, 'owner-token'), 'utf8').trim();
  request = (method, path, body) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const store = async (content: string): Promise<string> =>
    ((await (await request('POST', '/api/v1/memories', { content })).json()) as { memory: { id: string } }).memory.id;
  ids = [await store('The harbour opens at six'), await store('The crane is serviced in May')];
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Secrets by where each was given. */
const planted = new Map<string, string>();

function plant(where: string, schema: Schema, call: (args: unknown) => Promise<void>): Promise<void>[] {
  return listPlaces(schema).map((place) => {
    const secret = makeSecret();
    planted.set(secret, `${where} ${place}`);
    return call(fillIn(schema, { place, secret, usual: usualValue }));
  });
}

function usualValue(name: string): unknown {
  if (/^(?:id|ref|from|winner|memory_?id|source_?id|content_hash|hash1|from_hash)$/.test(name)) return ids[0];
  if (/^(?:to|loser|target_?id|hash2|to_hash)$/.test(name)) return ids[1];
  if (/date|time|since|until|after|before|expires|_at$|^at$/.test(name)) return '2030-01-01T00:00:00Z';
  if (/path/.test(name)) return 'notes/a.md';
  return undefined;
}

/** What the program keeps: the database with its log of writes, its own log, and whatever else it has written. */
function findLeaks(): string[] {
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'owner-token')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').toLowerCase());
  const all = [...texts, server.log().toLowerCase()];
  return [...planted]
    .filter(([secret]) => all.some((text) => text.includes(secret.toLowerCase())))
    .map(([, where]) => where);
}

test('a secret given to any tool, in any of its fields, is nowhere in clear afterwards', async () => {
  const client = new Client({ name: 'agent', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  assert.ok(tools.length > 60, `${tools.length} tools`);
  let accepted = 0;
  for (const { name, inputSchema } of tools) {
    if (/delete|forget|purge|consolidat|cleanup/.test(name)) continue;
    const calls = plant(name, inputSchema, async (args) => {
      const answer = await client.callTool({ name, arguments: args as Record<string, unknown> });
      if (answer.isError !== true) accepted++;
    });
    await Promise.all(calls);
  }
  await client.close();
  assert.ok(accepted > 80, `only ${accepted} of ${planted.size} calls were taken`);
  assert.deepEqual(findLeaks(), []);
});

test('a secret given to any route, in any field of its body, is nowhere in clear afterwards', async () => {
  const api = (await (await request('GET', '/api/v1/openapi.json')).json()) as Schema;
  const resolve = (schema: Schema): Schema => {
    if (typeof schema !== 'object' || schema === null) return schema;
    if (Array.isArray(schema)) return schema.map(resolve);
    if (typeof schema.$ref === 'string')
      return resolve(
        schema.$ref
          .slice(2)
          .split('/')
          .reduce((at: Schema, name: string) => at[name], api),
      );
    return Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, resolve(one as Schema)]));
  };
  planted.clear();
  let accepted = 0;
  for (const [path, methods] of Object.entries(api.paths as Schema))
    for (const [method, route] of Object.entries(methods as Schema)) {
      const schema = route.requestBody?.content?.['application/json']?.schema;
      if (schema === undefined || /delete|purge|tokens|users|teams|forget|consolidat/.test(path)) continue;
      const at = `/api/v1${path}`.replace(/\{(\w+)\}/g, (_, name: string) => String(usualValue(name) ?? 'x'));
      const calls = plant(`${method} ${path}`, resolve(schema), async (body) => {
        const answer = await request(method.toUpperCase(), at, body);
        if (answer.ok) accepted++;
        else assert.ok(answer.status < 500, `${method} ${path}: ${answer.status} ${await answer.text()}`);
      });
      await Promise.all(calls);
    }
  assert.ok(accepted > 30, `only ${accepted} of ${planted.size} calls were taken`);
  assert.deepEqual(findLeaks(), []);
});
