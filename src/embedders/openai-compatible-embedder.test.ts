import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { runEmbedderContract } from '../../test/embedders/embedder-contract.ts';
import type { Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import {
  createOpenAiCompatibleEmbedder,
  embeddingsUrl,
  type OpenAiCompatibleOptions,
} from './openai-compatible-embedder.ts';

interface Asked {
  path: string;
  authorization: string | undefined;
  input: string[];
  dimensions?: number;
}

type Answer = (asked: Asked, response: ServerResponse) => void | Promise<void>;

const DIMENSIONS = 4;
const closers: (() => void)[] = [];
after(() => {
  for (const close of closers) close();
});

/** A real embeddings server that behaves as the test says, one answer after the other, then well. */
async function serve(
  ...answers: Answer[]
): Promise<{ url: string; asked: Asked[]; open: { now: number; most: number } }> {
  const asked: Asked[] = [];
  const open = { now: 0, most: 0 };
  const server = createServer(async (request, response) => {
    open.most = Math.max(open.most, ++open.now);
    response.on('close', () => open.now--);
    const one = await readRequest(request);
    asked.push(one);
    await (answers.shift() ?? answerWell)(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, open };
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return { ...(JSON.parse(body) as Asked), path: request.url ?? '', authorization: request.headers.authorization };
}

const vectorOf = (text: string) => Array.from({ length: DIMENSIONS }, (_, i) => ((text.length * (i + 3)) % 7) + i + 1);
const answerWell: Answer = ({ input }, response) => sendVectors(response, input.map(vectorOf));
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_asked, response) =>
    void response.writeHead(code, headers).end('{"error":"secret text"}');

function sendVectors(response: ServerResponse, vectors: number[][]): void {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).reverse();
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }));
}

const lines: string[] = [];
const keep = (event: string, facts = {}) => void lines.push(`${event} ${JSON.stringify(facts)}`);
const log: Log = { info: keep, warn: keep, error: keep };

function embedderAt(url: string, options: Partial<OpenAiCompatibleOptions> = {}) {
  return createOpenAiCompatibleEmbedder({
    url,
    model: 'test-model',
    dimensions: DIMENSIONS,
    backoffMs: 1,
    clock: { now: () => Date.now() },
    log,
    ...options,
  });
}

const failed = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof EngineError);
  assert.equal(error.code, 'embedder_failed');
  assert.match(error.message, message);
  return true;
};

runEmbedderContract('the OpenAI-compatible embedder', async () => embedderAt((await serve()).url));

describe('the OpenAI-compatible embedder', () => {
  test('asks /v1/embeddings whether or not the address ends so', () => {
    const expected = 'http://localhost:11434/v1/embeddings';
    for (const base of [
      'http://localhost:11434',
      'http://localhost:11434/',
      'http://localhost:11434/v1',
      'http://localhost:11434/v1/',
      expected,
    ]) {
      assert.equal(embeddingsUrl(base), expected);
    }
    assert.equal(embeddingsUrl('https://host/proxy/v2'), 'https://host/proxy/v2/embeddings');
    assert.throws(() => embeddingsUrl('ftp://host'), EngineError);
  });

  test('sends the key as a bearer token and the dimensions it wants', async () => {
    const { url, asked } = await serve();
    await embedderAt(url, { apiKey: 'sk-very-secret' }).embed(['a'], 'query');
    assert.equal(asked[0]?.path, '/v1/embeddings');
    assert.equal(asked[0]?.authorization, 'Bearer sk-very-secret');
    assert.equal(asked[0]?.dimensions, DIMENSIONS);
  });

  test('gets vectors of a model that refuses to be asked for dimensions', async () => {
    const { url, asked } = await serve(status(400));
    const embedder = embedderAt(url);
    await embedder.embed(['a'], 'query');
    await embedder.embed(['b'], 'query');
    assert.deepEqual(
      asked.map(({ dimensions }) => dimensions),
      [DIMENSIONS, undefined, undefined],
    );
  });

  test('learns the dimensions from the first answer when nobody says them, and asks nothing before', async () => {
    const { url, asked } = await serve();
    const embedder = embedderAt(url, { dimensions: null });
    assert.deepEqual([embedder.dimensions, asked.length], [0, 0]);
    await embedder.embed(
      Array.from({ length: 100 }, (_, i) => `text ${i}`),
      'passage',
    );
    assert.equal(embedder.dimensions, DIMENSIONS);
    assert.equal(embedder.id, `openai:test-model:${DIMENSIONS}@v1`);
    assert.deepEqual([asked.length, asked[0]?.dimensions], [2, undefined]);
  });

  test('does not let a search wait long for a service that is down', async () => {
    const { url, asked } = await serve(...Array.from({ length: 4 }, () => status(503)));
    await assert.rejects(embedderAt(url).embed(['a'], 'query'), failed(/status 503/));
    assert.equal(asked.length, 2);
  });

  test('puts vectors into the order of the texts, whatever the order of the answer', async () => {
    const { url } = await serve();
    const [a, b] = await embedderAt(url).embed(['one', 'a longer one'], 'passage');
    const [alone] = await embedderAt(url).embed(['one'], 'passage');
    assert.deepEqual(a, alone);
    assert.notDeepEqual(a, b);
  });

  test('sends many texts in batches of at most 64, two at a time', async () => {
    // Each answer waits for the next question, so that one at a time would never come to an end; and a little longer, in which a third might come.
    const held = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const answers = held.map<Answer>(({ promise }, i) => async (one, response) => {
      held[i - 1]?.resolve();
      if (i < 4) await promise;
      await new Promise((resolve) => setTimeout(resolve, 20));
      await answerWell(one, response);
    });
    const { url, asked, open } = await serve(...answers);
    const texts = Array.from({ length: 300 }, (_, i) => `text ${i}`);
    await embedderAt(url).embed(texts, 'passage');
    assert.deepEqual(asked.map(({ input }) => input.length).sort(), [44, 64, 64, 64, 64]);
    assert.equal(open.most, 2);
  });

  test('cuts a text that is too long, never in half a character', async () => {
    const { url, asked } = await serve();
    await embedderAt(url).embed([`a${'😀'.repeat(8_000)}`], 'passage');
    assert.ok(asked[0]!.input[0]!.length <= 16_000);
    assert.ok(asked[0]!.input[0]!.isWellFormed());
  });

  test('tries again after 429, 500 and a broken connection', async () => {
    const hangUp: Answer = (_asked, response) => void response.socket?.destroy();
    const { url, asked } = await serve(status(429), status(503), hangUp);
    assert.equal((await embedderAt(url).embed(['a'], 'passage')).length, 1);
    assert.equal(asked.length, 4);
  });

  test('waits as long as the service asks for', async () => {
    const { url } = await serve(status(429, { 'retry-after': '0.2' }));
    const startedAt = performance.now();
    await embedderAt(url).embed(['a'], 'query');
    assert.ok(performance.now() - startedAt >= 190);
  });

  test('gives up at once when the service asks for a long pause', async () => {
    const { url, asked } = await serve(status(429, { 'retry-after': '3600' }));
    await assert.rejects(embedderAt(url).embed(['a'], 'query'), failed(/status 429/));
    assert.equal(asked.length, 1);
  });

  test('does not repeat a request that the service calls wrong', async () => {
    const { url, asked } = await serve(status(401));
    await assert.rejects(embedderAt(url).embed(['a'], 'query'), failed(/status 401/));
    assert.equal(asked.length, 1);
  });

  test('does not wait for ever', async () => {
    const never: Answer = () => {};
    const { url } = await serve(never, never, never, never);
    await assert.rejects(embedderAt(url, { timeoutMs: 30 }).embed(['a'], 'passage'), failed(/within 30 ms/));
  });

  test('does not wait for ever for the rest of an answer', async () => {
    const half: Answer = (_asked, response) => void response.writeHead(200).write('{"data":[');
    const { url } = await serve(half, half, half, half);
    await assert.rejects(embedderAt(url, { timeoutMs: 30 }).embed(['a'], 'passage'), failed(/within 30 ms/));
  });

  test('refuses vectors of another length, too few vectors, numbers that are none, and what is not JSON', async () => {
    const faults: [Answer, RegExp][] = [
      [(_asked, response) => sendVectors(response, [[1, 2, 3]]), /3 dimensions instead of 4/],
      [(_asked, response) => sendVectors(response, []), /0 vectors for 1 texts/],
      [
        (_asked, response) => void response.end('{"data":[{"index":0,"embedding":[1,null,3,4]}]}'),
        /not a list of numbers/,
      ],
      [(_asked, response) => sendVectors(response, [[0, 0, 0, 0]]), /length 0/],
      [(_asked, response) => void response.end('<html>'), /not JSON/],
      [(_asked, response) => void response.end('{"object":"list"}'), /no list/],
    ];
    for (const [answer, message] of faults) {
      const { url } = await serve(answer);
      await assert.rejects(embedderAt(url).embed(['a'], 'query'), failed(message));
    }
  });

  test('leaves a service alone that failed five times, and comes back later', async () => {
    const { url, asked } = await serve(...Array.from({ length: 5 }, () => status(500)));
    let now = 1_000_000;
    const embedder = embedderAt(url, { clock: { now: () => now } });
    await assert.rejects(embedder.embed(['a'], 'passage'), failed(/status 500/));
    await assert.rejects(embedder.embed(['a'], 'passage'), failed(/retry shortly/));
    assert.equal(asked.length, 5);
    await assert.rejects(embedder.embed(['a'], 'passage'), failed(/retry shortly/));
    assert.equal(asked.length, 5);
    now += 31_000;
    assert.equal((await embedder.embed(['a'], 'passage')).length, 1);
  });

  test('stops at the daily budget and starts anew the next day', async () => {
    const { url, asked } = await serve();
    let now = 1_000_000;
    const embedder = embedderAt(url, { dailyTexts: 3, clock: { now: () => now } });
    await embedder.embed(['a', 'b'], 'passage');
    await assert.rejects(embedder.embed(['c', 'd'], 'passage'), failed(/budget of 3/));
    assert.equal(asked.length, 1);
    now += 86_400_000;
    await embedder.embed(['c', 'd'], 'passage');
    assert.equal(asked.length, 2);
  });

  test('does not follow a redirect, which would carry the texts elsewhere', async () => {
    const elsewhere = await serve();
    const { url } = await serve(
      ...Array.from({ length: 4 }, () => status(307, { location: `${elsewhere.url}/v1/embeddings` })),
    );
    await assert.rejects(embedderAt(url).embed(['a'], 'passage'), failed(/cannot be reached/));
    assert.equal(elsewhere.asked.length, 0);
  });

  test('stops waiting when it is closed', async () => {
    const refuse = Promise.withResolvers<void>();
    const { url } = await serve(status(429, { 'retry-after': '15' }));
    const embedder = embedderAt(url, { log: { ...log, warn: () => refuse.resolve() } });
    const waiting = embedder.embed(['a'], 'query');
    await refuse.promise;
    setImmediate(() => void embedder.close());
    await assert.rejects(waiting, failed(/closed/));
  });

  test('keeps keys, texts and answers out of errors, logs and its id', async () => {
    lines.length = 0;
    const { url } = await serve(...Array.from({ length: 4 }, () => status(500)));
    const embedder = embedderAt(url, { apiKey: 'sk-very-secret' });
    await assert.rejects(embedder.embed(['my private text'], 'passage'), (error: Error) => {
      assert.doesNotMatch(`${error.message} ${JSON.stringify(error)}`, /sk-very-secret|private|secret text/);
      return true;
    });
    assert.ok(lines.length > 0);
    assert.doesNotMatch(lines.join('\n'), /sk-very-secret|private|secret text/);
    assert.doesNotMatch(embedder.id, /127\.0\.0\.1|secret/);
  });
});
