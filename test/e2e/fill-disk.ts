import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { startServe } from './serve-process.ts';

/** Run on a small disk: a server is stored into until the disk is full, then asked for everything that must still work. Prints what it got. */
const folder = process.argv.at(-1)!;
const db = join(folder, 'memory.db');
const filler = join(folder, 'filler');
const server = await startServe(folder, ['--db', db]);
const token = readFileSync(join(folder, 'owner-token'), 'utf8').trim();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

async function ask(method: string, path: string, body?: unknown) {
  const sent = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
  const response = await fetch(new URL(path, server.url), sent);
  const text = await response.text();
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : {} };
}

const store = (words = 2000) =>
  ask('POST', '/api/v1/memories', { content: `number ${Math.random()} ${'word '.repeat(words)}` });
const openPage = async () => (await fetch(new URL('/oauth/device', server.url), { redirect: 'manual' })).status;

function fillUp(): void {
  const file = openSync(filler, 'a');
  for (let piece = 65_536; piece >= 512; ) {
    try {
      writeSync(file, Buffer.alloc(piece, 1));
    } catch {
      piece /= 2;
    }
  }
  closeSync(file);
}

/** A command of its own process, at the same time as the server. */
function ltm(...words: string[]): number {
  try {
    execFileSync(process.execPath, [PROGRAM, ...words, '--db', db], {
      env: { ...PLAIN_ENV, HOME: folder },
      stdio: 'ignore',
    });
    return 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

const ids: string[] = [];
/** Larger ones first, until nothing fits any more. */
for (const words of [2000, 200, 2]) {
  // The database gives room back now and then: only what is refused again and again is full.
  for (let refusals = 0; refusals < 3; ) {
    const { status, json } = await store(words);
    refusals = status === 507 ? refusals + 1 : 0;
    if (status < 300) ids.push(json.memory.id);
    if (ids.length > 60 || refusals > 0) fillUp();
  }
}
let page = 200;
for (let n = 0; page === 200 && n < 900; n++) page = await openPage();
const client = { client_name: 'program', redirect_uris: ['http://127.0.0.1:7/callback'] };
let registered = await ask('POST', '/oauth/register', client);
for (let n = 0; registered.status === 201 && n < 15; n++) registered = await ask('POST', '/oauth/register', client);
const answers = {
  stored: ids.length,
  page,
  store: (await store()).status,
  search: (await ask('POST', '/api/v1/search', { query: 'number' })).status,
  register: registered,
  delete: (await ask('DELETE', `/api/v1/memories/${ids[0]}`)).status,
  deleteByCommand: ltm('delete', ids[1]!, '--yes'),
  purge: (await ask('POST', `/api/v1/memories/${ids[2]}/purge`)).status,
  purgeByCommand: ltm('purge', ids[3]!, '--yes'),
  purgeMany: (await ask('POST', '/api/v1/memories/purge', { ids: ids.slice(4, 44) })).json.count,
  ballast: existsSync(`${db}-ballast`) && statSync(`${db}-ballast`).size > 256 * 1024,
};
rmSync(filler);
const again = (await store()).status;
const list = await ask('GET', '/api/v1/memories?limit=1');
await server.stop();
console.log(JSON.stringify({ ...answers, again, left: list.json.total, doctor: ltm('doctor') }));
