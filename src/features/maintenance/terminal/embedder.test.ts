import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { makeFolder } from '../../../../test/open-test-engine.ts';
import { main } from '../../../cli/main.ts';

/** Embeddings of as many dimensions as the model's name says. */
const service = createServer(async (request, response) => {
  const { model, input } = JSON.parse(await text(request)) as { model: string; input: string[] };
  const vectorOf = (content: string) =>
    Array.from({ length: Number(model.split('-')[1]) }, (_, i) => ((content.length * (i + 1)) % 11) + 1);
  response.end(JSON.stringify({ data: input.map((content, index) => ({ index, embedding: vectorOf(content) })) }));
});
let url = '';
before(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
});
after(() => {
  service.closeAllConnections();
  service.close();
});

function openHome() {
  const folder = makeFolder();
  const env = { HOME: folder, LTM_DB: join(folder, 'memory.db'), LTM_CONFIG: join(folder, 'config.json') };
  const run = async (...argv: string[]) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const [out, err] = [text(stdout), text(stderr)];
    const code = await main(argv, env, { stdin: Object.assign(Readable.from([]), { isTTY: false }), stdout, stderr });
    stdout.end();
    stderr.end();
    return { code, out: await out, err: await err };
  };
  const json = async (...argv: string[]) => {
    const { code, out, err } = await run(...argv, '--json');
    assert.equal(code, 0, err);
    return JSON.parse(out) as Record<string, unknown>;
  };
  const settings = () => JSON.parse(readFileSync(env.LTM_CONFIG, 'utf8')) as Record<string, unknown>;
  return { run, json, settings };
}

const useService = (model: string) => ['embedder', 'use', 'openai', '--embedder-url', url, '--embedder-model', model];

describe('ltm embedder', () => {
  test('changes the embedder, keeps the old vectors, embeds anew and cleans up', async () => {
    const { run, json, settings } = openHome();
    assert.equal((await run('embedder', 'use', 'none')).code, 0);
    assert.equal((await run('store', 'Staging runs on port 8443')).code, 0);
    assert.equal((await run('store', 'The kettle is in the attic')).code, 0);

    const first = await run(...useService('toy-8'));
    assert.match(first.out, /2 passages of 2 will be re-embedded/);
    assert.deepEqual(settings(), { embedder: 'openai', embedder_url: url, embedder_model: 'toy-8' });
    const now = await json('embedder', 'use', 'openai', '--now');
    assert.deepEqual([now.id, now.embedded_memories], ['openai:toy-8:8@v1', 2]);

    const second = await json(...useService('toy-16'));
    assert.deepEqual(
      [second.to_embed, second.previous],
      [2, { embedder: 'openai', embedder_url: url, embedder_model: 'toy-8' }],
    );
    const between = await json('embedder', 'status');
    assert.deepEqual([between.embedded, between.pending_memories, between.searching], [0, 2, 'openai:toy-8:8@v1']);
    assert.equal((await json('search', 'kettle', '--mode', 'semantic')).searched_by, 'meaning');
    assert.equal((await run('embedder', 'clean', '--yes')).code, 2);

    await run('embedder', 'use', 'openai', '--now');
    assert.equal(settings().previous_embedder, undefined);
    const done = await json('embedder', 'status');
    assert.deepEqual(
      [done.embedded, done.searching, done.others],
      [2, 'openai:toy-16:16@v1', [{ id: 'openai:toy-8:8@v1', passages: 2 }]],
    );
    assert.equal((await run('embedder', 'clean')).code, 2);
    assert.deepEqual(await json('embedder', 'clean', '--yes'), { dropped_vectors: 2 });
    assert.deepEqual((await json('embedder')).others, []);
  });

  test('changes nothing when the embedder cannot be used', async () => {
    const { run, settings } = openHome();
    await run('embedder', 'use', 'none');
    const refused = await run('embedder', 'use', 'openai', '--embedder-url', 'http://127.0.0.1:9/v1');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /nothing was changed/);
    assert.equal((await run('embedder', 'use', 'onnx', '--embedder-folder', '/does/not/exist')).code, 1);
    assert.equal((await run('embedder', 'use', 'other')).code, 2);
    assert.deepEqual(settings(), { embedder: 'none' });
  });

  test('lists every embedder with what it lacks', async () => {
    const { json } = openHome();
    const { embedders } = (await json('embedder', 'list', '--embedder-url', url, '--embedder-model', 'toy-8')) as {
      embedders: Record<string, unknown>[];
    };
    const byName = Object.fromEntries(embedders.map((each) => [each.name, each]));
    assert.deepEqual(Object.keys(byName), ['static', 'none', 'openai', 'onnx']);
    assert.deepEqual([byName.openai!.usable, byName.openai!.active, byName.openai!.dimensions], [true, true, 8]);
    assert.equal(byName.onnx!.usable, false);
    assert.match(String(byName.onnx!.problem), /embedder_folder/);
  });
});
