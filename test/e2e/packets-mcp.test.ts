import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { makePacket } from '../make-packet.ts';
import type { Answer } from './mcp-process.ts';
import { runLtm } from './packet-server.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

let home: string;
let agent: ReturnType<typeof spawn>;
let lines: AsyncIterator<string>;
let id = 0;

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'ltm-packets-mcp-'));
  agent = spawn(process.execPath, [PROGRAM, 'mcp', '--tools', 'packets'], {
    env: { ...PLAIN_ENV, HOME: home },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  lines = createInterface({ input: agent.stdout! })[Symbol.asyncIterator]();
});
after(async () => {
  const ended = once(agent, 'exit');
  agent.stdin!.end();
  assert.deepEqual(await ended, [0, null]);
  rmSync(home, { recursive: true, force: true });
});

function write(line: string): void {
  agent.stdin!.write(`${line}\n`);
}

async function read(): Promise<Answer> {
  return JSON.parse((await lines.next()).value as string) as Answer;
}

async function ask(method: string, params: object = {}): Promise<Answer> {
  write(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }));
  return read();
}

async function call(name: string, args: object = {}): Promise<{ text: string; structured: Answer; failed: boolean }> {
  const { result } = await ask('tools/call', { name, arguments: args });
  return { text: result.content[0].text, structured: result.structuredContent, failed: result.isError === true };
}

describe('the packet tools over stdio', () => {
  test('L40 shake hands in the version asked for and list twelve tools', async () => {
    const { result } = await ask('initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    assert.deepEqual([result.protocolVersion, result.serverInfo.name], ['2024-11-05', 'ltm']);
    assert.match(result.instructions, /^Packets .* resume/);
    assert.doesNotMatch(result.instructions, /memory_/, 'tools that are not listed');
    write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const { tools } = (await ask('tools/list')).result;
    assert.deepEqual(tools.map(({ name }: { name: string }) => name).sort(), [
      'example',
      'ls',
      'platform',
      'publish',
      'pull',
      'push',
      'resume',
      'rm',
      'save',
      'show',
      'unpublish',
      'whoami',
    ]);
    const { inputSchema } = tools.find(({ name }: { name: string }) => name === 'save');
    assert.deepEqual(inputSchema.properties.packet.properties.attempts.items.properties.outcome.enum, [
      'succeeded',
      'failed',
      'partial',
    ]);
    assert.match(tools.find(({ name }: { name: string }) => name === 'publish').description, /WORLD-READABLE/);
  });

  test('L40 answer with the codes of JSON-RPC', async () => {
    write('{broken');
    assert.equal((await read()).error.code, -32_700);
    assert.equal((await ask('no/such/method')).error.code, -32_601);
    assert.equal((await ask('tools/call', { name: 'no_such_tool' })).error.code, -32_602);
    write('{"jsonrpc":"2.0","id":"odd","method":"tools/call","params":"x"}');
    const { id: asker, error } = await read();
    assert.deepEqual([asker, error.code], ['odd', -32_602], 'whoever waits for an answer gets one');
    assert.deepEqual((await ask('ping')).result, {});
  });

  test('L40 save, list, show, pull, resume and remove a packet in the texts of the protocol', async () => {
    assert.equal((await call('ls')).text, 'No packets on server.');
    const saved = await call('save', { packet: makePacket({ project: { name: 'web' }, tags: ['speed'] }) });
    assert.deepEqual([saved.text, saved.structured.id], [makePacket().id, makePacket().id]);
    assert.match(
      (await call('ls', { limit: 0 })).text,
      /^ID {26}CREATED {18}GOAL\n01TESTPACKET0000000000000A {2}2026-01-31T09:30:00Z {5}Make the login/,
    );
    const shown = await runLtm(home, ['show', makePacket().id]);
    assert.equal((await call('show', { id: makePacket().id })).text, shown.stdout);
    assert.equal(
      `${(await call('pull', { id: makePacket().id })).text}\n`,
      (await runLtm(home, ['pull', makePacket().id])).stdout,
    );
    const block = await call('resume', { project: 'web' });
    assert.deepEqual([block.structured.id, /^# Resume context/.test(block.text)], [makePacket().id, true]);
    const [hit] = (await call('memory_search', { query: 'login page' })).structured.hits;
    assert.deepEqual([hit.kind, hit.packet_id], ['packet', makePacket().id]);
    assert.match((await call('memory_get', { id: hit.id })).text, /Measure the three slowest queries/);
    assert.equal((await call('memory_list')).structured.total, 0);
    assert.match((await call('publish', { id: makePacket().id })).text, /^http:\/\/\S+\/p\/[\w-]{27}$/);
    assert.equal((await call('unpublish', { id: makePacket().id })).text, `unpublished ${makePacket().id}`);
    assert.equal((await call('rm', { id: makePacket().id })).text, `deleted ${makePacket().id}`);
    const gone = await call('rm', { id: makePacket().id });
    assert.deepEqual(
      [gone.failed, gone.text.startsWith('error: not found'), gone.structured.error.code],
      [true, true, 'not_found'],
    );
  });

  test('L40 a packet without id, time and version gets them; faults and secrets are named at once', async () => {
    const saved = await call('save', { packet: { goal: 'Find the leak.', next_step: 'Take a heap dump.' } });
    assert.match(saved.text, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    const wrong = await call('push', { packet: { goal: '', attempts: [{ tried: 'x', outcome: 'ok' }] } });
    assert.match(wrong.text, /^error: packet rejected: schema violation:[\s\S]*next_step[\s\S]*goal[\s\S]*succeeded/);
    assert.match((await call('push')).text, /^error: packet is required\./);
    const secret = await call('save', { packet: makePacket({ goal: 'Use AKIAIOSFODNN7EXAMPLA.' }) });
    assert.match(secret.text, /^error: redaction failed[\s\S]* - goal\/aws-key: [\s\S]*allow_unredacted=true/);
    assert.doesNotMatch(secret.text, /AKIAIOSFODNN7EXAMPLA/);
    assert.equal(
      (await call('save', { packet: makePacket({ goal: 'Use AKIAIOSFODNN7EXAMPLA.' }), allow_unredacted: true }))
        .failed,
      false,
    );
  });

  test('work in a team that was made since they started, and say so where there is none', async () => {
    await runLtm(home, ['teams', 'create', 'crew']);
    const { text: made } = await call('save', {
      team: 'crew',
      packet: { goal: 'A goal of the crew.', next_step: 'Go on.' },
    });
    assert.match((await call('ls', { team: 'crew' })).text, new RegExp(`${made} .*A goal of the crew`));
    assert.doesNotMatch((await call('ls')).text, /A goal of the crew/);
    assert.match((await call('ls', { team: 'nobodys' })).text, /^error: team not found/);
    assert.equal(JSON.parse((await call('whoami')).text).user_id, 'owner');
    assert.match((await call('platform')).text, /^http/);
    assert.equal(JSON.parse((await call('example')).text).ltm_version, '0.2');
  });

  test('a tool call without an id is carried out by nobody, and a very long line ends nothing', async () => {
    write(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'tools/call',
        params: { name: 'save', arguments: { packet: makePacket({ id: 'by-notification' }) } },
      }),
    );
    write(JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'ping', params: { pad: 'x'.repeat(1_200_000) } }));
    const answer = await read();
    assert.ok(answer.id === 'long' || answer.error !== undefined);
    assert.doesNotMatch((await call('ls')).text, /by-notification/);
  });
});
