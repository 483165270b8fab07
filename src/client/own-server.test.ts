import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { askServer } from './ask-server.ts';
import { answerProof, isOwnServer, PROOF_PATH } from './own-server.ts';
import { announceServer, findRunningServer } from './running-server.ts';

const QUESTION = { project: 'shop', session: 's', prompt: 'the plan of the heist', event: 'prompt' } as const;
const TOKEN = 'ltm_pat_the-owner-s-token';

interface Place {
  spool: string;
  tokenFile: string;
}

function makePlace(context: TestContext): Place {
  const spool = mkdtempSync(join(tmpdir(), 'ltm-own-'));
  context.after(() => rmSync(spool, { recursive: true, force: true }));
  const tokenFile = join(spool, 'token');
  writeFileSync(tokenFile, TOKEN);
  return { spool, tokenFile };
}

/** What comes in is kept, whatever it is. */
async function listen(context: TestContext, answer: (asked: IncomingMessage, response: ServerResponse) => void) {
  let heard = '';
  let connections = 0;
  const server: Server = createServer((request, response) => {
    heard += `${request.method} ${request.url} ${JSON.stringify(request.headers)}`;
    request.on('data', (chunk) => {
      heard += chunk;
    });
    request.on('end', () => answer(request, response));
  }).on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, heard: () => heard, connections: () => connections, server };
}

function nonceOf({ url = '' }: IncomingMessage): string | undefined {
  return new URL(url, 'http://x').searchParams.get('nonce') ?? undefined;
}

const sayContext = (response: ServerResponse): void => void response.end(JSON.stringify({ context: 'obey me' }));

test('the server that left its address proves it and is asked, on one connection', async (context) => {
  const { spool, tokenFile } = makePlace(context);
  const one = await listen(context, (asked, response) => {
    if (asked.url?.startsWith(PROOF_PATH)) response.end(JSON.stringify({ proof: answerProof(spool, nonceOf(asked)) }));
    else sayContext(response);
  });
  announceServer(spool, { url: one.url, pid: process.pid, tokenFile });
  assert.equal(statSync(join(spool, 'server.json')).mode & 0o777, 0o600);
  const found = findRunningServer(spool)!;
  assert.deepEqual(await askServer(found, QUESTION, 5000), { state: 'answered', context: 'obey me' });
  assert.equal(one.connections(), 1);
  assert.equal(await isOwnServer(found, 5000), true);
});

test('whoever else listens there hears neither token nor text, and is not believed', async (context) => {
  const { spool, tokenFile } = makePlace(context);
  const impostors: ((asked: IncomingMessage, response: ServerResponse) => void)[] = [
    (_, response) => sayContext(response),
    (asked, response) => response.end(JSON.stringify({ proof: nonceOf(asked), context: 'obey me' })),
    (_, response) => response.end(JSON.stringify({ proof: '0'.repeat(64) })),
    (_, response) => response.writeHead(302, { Location: '/api/v1/context' }).end(),
    (_, response) => response.writeHead(401).end(),
    (_, response) => response.end('x'.repeat(200_000)),
  ];
  for (const impostor of impostors) {
    const other = await listen(context, impostor);
    announceServer(spool, { url: other.url, pid: process.pid, tokenFile });
    const found = findRunningServer(spool)!;
    assert.equal((await askServer(found, QUESTION, 2000)).state, 'absent');
    assert.equal(await isOwnServer(found, 2000), false);
    assert.doesNotMatch(other.heard(), /ltm_pat|heist|authorization|shop/i);
  }
});

test('a proof that the real server gives for another address, or that was given once, is none', async (context) => {
  const [there, here] = [makePlace(context), makePlace(context)];
  const real = await listen(context, (asked, response) =>
    response.end(JSON.stringify({ proof: answerProof(there.spool, nonceOf(asked)) })),
  );
  announceServer(there.spool, { url: real.url, pid: process.pid, tokenFile: there.tokenFile });
  const relay = await listen(context, async (asked, response) => {
    response.end(await (await fetch(`${real.url}${asked.url}`)).text());
  });
  // The same secret, as after a copy of the folder.
  const copy = JSON.parse(readFileSync(join(there.spool, 'server.json'), 'utf8')) as object;
  writeFileSync(join(here.spool, 'server.json'), JSON.stringify({ ...copy, url: relay.url }));
  assert.equal(await isOwnServer(findRunningServer(here.spool)!, 2000), false);
  let first: string | null = null;
  const replay = await listen(context, (asked, response) => {
    first ??= answerProof(here.spool, nonceOf(asked));
    response.end(JSON.stringify({ proof: first }));
  });
  announceServer(here.spool, { url: replay.url, pid: process.pid, tokenFile: here.tokenFile });
  assert.equal(await isOwnServer(findRunningServer(here.spool)!, 2000), true);
  assert.equal((await askServer(findRunningServer(here.spool)!, QUESTION, 2000)).state, 'absent');
  assert.doesNotMatch(replay.heard(), /ltm_pat|heist/);
});

test('a connection that ends after the proof is not opened again: another may listen by then', async (context) => {
  const { spool, tokenFile } = makePlace(context);
  const one = await listen(context, (asked, response) => {
    response.setHeader('Connection', 'close');
    response.end(JSON.stringify({ proof: answerProof(spool, nonceOf(asked)) }));
  });
  announceServer(spool, { url: one.url, pid: process.pid, tokenFile });
  assert.equal((await askServer(findRunningServer(spool)!, QUESTION, 2000)).state, 'absent');
  assert.doesNotMatch(one.heard(), /ltm_pat|heist/);
});

test('what never answers costs no more than the time given, and a file without a secret opens nothing', async (context) => {
  const { spool, tokenFile } = makePlace(context);
  let said = '';
  const silent = createRawServer((socket) => socket.on('data', (chunk) => (said += chunk)));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  context.after(() => silent.close());
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  announceServer(spool, { url, pid: process.pid, tokenFile });
  const start = performance.now();
  assert.equal((await askServer(findRunningServer(spool)!, QUESTION, 200)).state, 'silent');
  assert.ok(performance.now() - start < 2000);
  writeFileSync(join(spool, 'server.json'), JSON.stringify({ url, pid: process.pid, tokenFile }));
  assert.equal((await askServer(findRunningServer(spool)!, QUESTION, 200)).state, 'absent');
  assert.doesNotMatch(said, /ltm_pat|heist/);
  assert.equal(answerProof(spool, '0'.repeat(32)), null);
  assert.equal(answerProof(spool, 'x'), null);
});
