import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startChatService } from '../stub-chat-service.ts';
import { runLtm } from './packet-server.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const TOKENS = { 'token-of-alice': 'alice', 'token-of-bob': 'bob' };
const folder = makeServeFolder(TOKENS);
const args = ['--db', join(folder, 'memory.db'), '--tokens-file', join(folder, 'user_tokens.json')];
let server: ServeProcess;
before(async () => {
  server = await startServe(folder, [...args, '--context-timeout-ms', '10000']);
});
after(async () => {
  await server.stop();
  removeFolder(folder);
});

// biome-ignore lint/suspicious/noExplicitAny: answers of the program under test, read as a client would
type Answered = { status: number; json: any };

async function ask(
  path: string,
  body?: object,
  { url = server.url, token = 'token-of-alice' } = {},
): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

let count = 0;
function event(session: string, name: string, more: object): object {
  count++;
  const at = Date.now() - 3_600_000 + count * 1000;
  return {
    key: `${session}:${count}`,
    event: name,
    at,
    agent: 'claude-code',
    session,
    project: 'shop',
    directory: '/work/shop',
    ...more,
  };
}

async function fill(token = 'token-of-alice'): Promise<void> {
  const { status, json } = await ask(
    '/session-events',
    {
      events: [
        event('s1', 'prompt', { text: 'Speed up the import of bank files.' }),
        event('s1', 'tool', {
          tool: {
            name: 'Edit',
            input: { file_path: '/work/shop/import.ts', old_string: 'a', new_string: 'b' },
            output: 'ok',
          },
        }),
        event('s1', 'turn', {
          text: 'We decided to stream the files instead of reading them whole. Worker threads did not work because the parser keeps state. Next step: measure with 2 GB.',
        }),
      ],
    },
    { token },
  );
  assert.deepEqual([status, json.recorded], [200, 3]);
}

describe('what a session is given by itself', () => {
  test('the first prompt of the next session gets a tagged block within its budget (M29)', async () => {
    await fill();
    const { status, json } = await ask('/context', {
      project: 'shop',
      session: 's2',
      event: 'prompt',
      prompt: 'Why do we stream the bank files?',
    });
    assert.deepEqual([status, json.reason], [200, 'search']);
    assert.match(json.context, /^<ltm-context>\n[\s\S]+\n<\/ltm-context>$/);
    assert.match(json.context, /stream the files instead of reading them whole\. \[/);
    assert.match(json.context, /Next: measure with 2 GB/);
    assert.ok(json.tokens <= 500 && json.entries.length <= 8);
    const small = await ask('/context', {
      project: 'shop',
      session: 's3',
      event: 'start',
      max_tokens: 90,
      tag: 'longmem-context',
    });
    assert.match(small.json.context, /^<longmem-context>/);
    assert.ok(small.json.tokens <= 90);
  });

  test('the same topic gets nothing, a new one what is new, each with its reason (M30)', async () => {
    const prompt = (text: string) => ask('/context', { project: 'shop', session: 's2', event: 'prompt', prompt: text });
    assert.equal((await prompt('Is streaming the bank files slower than before?')).json.reason, 'same_topic');
    await ask('/memories', { content: 'Invoices are numbered per year, beginning with 1000.', project: 'shop' });
    const other = await prompt('How are invoices numbered?');
    assert.equal(other.json.reason, 'search');
    assert.match(other.json.context, /beginning with 1000/);
    assert.equal((await prompt('Paint the fence of the garden green')).json.reason, 'empty');
  });

  test('what holds a private key is never given (M31)', async () => {
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA7bq2'.repeat(10)}\n-----END RSA PRIVATE KEY-----`;
    const words = [
      'store',
      `Always sign with ${pem}`,
      '--type',
      'preference',
      '--project',
      'keys',
      '--no-redact',
      '--db',
      join(folder, 'memory.db'),
    ];
    assert.equal((await runLtm(folder, words)).code, 0);
    const shown = await runLtm(folder, ['context', '--project', 'keys', '--json', '--db', join(folder, 'memory.db')]);
    const answer = JSON.parse(shown.stdout);
    assert.deepEqual([answer.context, answer.reason, answer.withheld], [null, 'quarantined', 1]);
  });

  test('where there is no time the answer is 200 with the reason, and nothing is remembered as given (M32)', async () => {
    const none = await ask('/context', { project: 'shop', session: 's9', event: 'start', timeout_ms: 0 });
    assert.deepEqual([none.status, none.json.reason, none.json.context], [200, 'timeout', null]);
    assert.equal((await ask('/context', { project: 'shop', session: 's9', event: 'start' })).json.reason, 'recency');
    const hurried = await startServe(folder, [...args, '--context-timeout-ms', '0']);
    const { status, json } = await ask('/context', { project: 'shop', session: 's10' }, { url: hurried.url });
    await hurried.stop();
    assert.deepEqual([status, json.reason], [200, 'timeout']);
  });

  test('what belongs to one person is given to no other', async () => {
    const { json } = await ask('/context', { project: 'shop', session: 'b1' }, { token: 'token-of-bob' });
    assert.deepEqual([json.reason, json.context], ['empty', null]);
  });

  test('the command shows what would be given and why, and changes nothing', async () => {
    const db = join(folder, 'own.db');
    await runLtm(folder, [
      'store',
      'Always use pnpm in this repository.',
      '--type',
      'preference',
      '--project',
      'shop',
      '--db',
      db,
    ]);
    const shown = await runLtm(folder, ['context', '--project', 'shop', '--session', 'x', '--db', db]);
    assert.match(
      shown.stdout,
      /<ltm-context>\n.*\n- Rule: Always use pnpm in this repository\. \[\w{20}\]\n<\/ltm-context>/,
    );
    assert.match(shown.stdout, /memory: the latest of its type/);
    const again = await runLtm(folder, ['context', '--project', 'shop', '--session', 'x', '--db', db]);
    assert.equal(again.stdout, shown.stdout);
    const empty = await runLtm(folder, ['context', '--project', 'none', '--db', db]);
    assert.deepEqual([empty.code, empty.stdout], [0, '']);
  });
});

describe('summaries by a model', () => {
  const GOOD = {
    summary: 'Raised the burst for mobile clients',
    type: 'feature',
    files: ['src/limit.ts'],
    concepts: ['rate limit'],
  };
  const secret = ['ghp', '_', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'].join('');
  const edit = (session: string) =>
    event(session, 'tool', {
      tool: {
        name: 'Edit',
        input: { file_path: 'src/limit.ts', old_string: 'a', new_string: `const token = '${secret}';` },
        output: `export GITHUB_TOKEN=${secret}`,
      },
    });

  test('fill in what rules made, spend within the budget, and never see a secret (M36, M37)', async () => {
    const service = await startChatService(GOOD);
    service.answers.push(503);
    const home = makeServeFolder(TOKENS);
    const own = [
      '--db',
      join(home, 'memory.db'),
      '--tokens-file',
      join(home, 'user_tokens.json'),
      '--upkeep-seconds',
      '1',
    ];
    const summarizer = [
      '--summarizer-url',
      service.url,
      '--summarizer-model',
      'small',
      '--summarizer-daily-calls',
      '6',
    ];
    const summing = await startServe(home, [...own, ...summarizer, '--redact', 'off'], { LTM_SUMMARIZER_KEY: 'k' });
    try {
      const at = { url: summing.url };
      await ask(
        '/session-events',
        { events: [edit('m1'), edit('m2'), edit('m3'), edit('m4'), edit('m5'), edit('m6')] },
        at,
      );
      for (let i = 0; i < 300 && (await ask('/spend', undefined, at)).json.calls_today < 4; i++) await pause(100);
      await pause(2_500);
      const { json: spend } = await ask('/spend', undefined, at);
      assert.ok(spend.calls_today <= 6 && spend.calls_today >= 4, JSON.stringify(spend));
      assert.equal(service.asked.length, spend.calls_today, 'what was asked is what was written down');
      assert.deepEqual([spend.model, spend.daily_calls, spend.days.length], ['openai:small', 6, 1]);
      assert.ok(service.asked.every(({ authorization }) => authorization === 'Bearer k'));
      assert.ok(
        service.asked.every(({ body }) => !body.includes(secret.slice(0, 12))),
        'no secret reaches the service',
      );
      const { json: found } = await ask('/search', { query: 'burst for mobile clients', kind: 'observation' }, at);
      assert.equal(found.hits[0]?.title, GOOD.summary);
      assert.equal(found.hits[0]?.type, 'feature');
    } finally {
      await summing.stop();
      service.close();
      removeFolder(home);
    }
  });

  test('nothing is sent anywhere, and nothing spent, where no service is named', async () => {
    const { json } = await ask('/spend');
    assert.deepEqual([json.days, json.model, json.calls_today], [[], null, 0]);
    const shown = await runLtm(folder, ['spend', '--db', join(folder, 'own.db')]);
    assert.deepEqual([shown.code, shown.stdout], [0, '']);
    assert.match(shown.stderr, /nothing is spent/);
  });
});
