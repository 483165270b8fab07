import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { packetText, type Ran, runLtm } from './packet-server.ts';

let stub: Server;
let elsewhere: Server;
let home: string;
let answer: RequestListener;
let asked: string[] = [];
let strayed: string[] = [];
before(async () => {
  home = mkdtempSync(join(tmpdir(), 'ltm-other-'));
  stub = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  elsewhere = createServer((request, response) => {
    strayed.push(`${request.headers.authorization}`);
    response.end('{}');
  });
  for (const server of [stub, elsewhere]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  asked = [];
  strayed = [];
});
after(() => {
  for (const server of [stub, elsewhere]) server.close();
  rmSync(home, { recursive: true, force: true });
});

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ltm(words: readonly string[], input = ''): Promise<Ran> {
  return runLtm(home, words, { input, env: { LTM_HOST: addressOf(stub), LTM_TOKEN: 'a-token' } });
}

describe('the packet commands and a server that is not what it should be', () => {
  test('a redirect is not followed, and the token goes nowhere else', async () => {
    answer = (request, response) =>
      void response.writeHead(302, { location: `${addressOf(elsewhere)}${request.url}` }).end();
    for (const words of [['ls'], ['pull', 'some-packet-id'], ['rm', 'some-packet-id'], ['push', '-']]) {
      const { code, stdout, stderr } = await ltm(words, packetText());
      assert.deepEqual([code, stdout], [1, ''], words.join(' '));
      assert.match(stderr, /server returned 302: it sends to http:\/\/127\.0\.0\.1/);
    }
    assert.match((await ltm(['teams'])).stderr, /sends to http:\/\/127\.0\.0\.1/);
    assert.deepEqual(strayed, []);
  });

  test('names that are steps of a path are no names, and nothing is asked', async () => {
    answer = (_, response) => void response.writeHead(204).end();
    const tries = [
      ['rm', '..'],
      ['teams', 'rm', '..', '--yes'],
      ['teams', 'remove', 'crew', '..'],
      ['teams', 'leave', '.'],
      ['invite', '--team', '..'],
    ];
    for (const words of tries) assert.equal((await ltm(words)).code, 2, words.join(' '));
    assert.deepEqual(asked, []);
    await ltm(['teams', 'remove', 'crew', '../..']);
    assert.deepEqual(asked, ['DELETE /api/v1/teams/crew/members/..%2F..']);
  });

  test('an answer of something else is told in a sentence', async () => {
    for (const body of ['<html>', '[]', '{"packets":"none"}']) {
      answer = (_, response) => void response.writeHead(200).end(body);
      const { code, stdout, stderr } = await ltm(['ls']);
      assert.deepEqual([code, stdout], [1, ''], body);
      assert.match(stderr, /^error: The server did not answer like a packet server\./m);
    }
  });

  test('a page that is no JSON is shown, harmless, as the error', async () => {
    answer = (_, response) => void response.writeHead(502).end('bad \u001b[31mgateway');
    const { code, stderr } = await ltm(['pull', 'some-packet-id']);
    assert.equal(code, 1);
    assert.match(stderr, /server returned 502: bad ␛\[31mgateway/);
  });
});
