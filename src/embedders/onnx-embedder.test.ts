import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runEmbedderContract } from '../../test/embedders/embedder-contract.ts';
import { EngineError } from '../model/errors.ts';
import { readBertTokenizer } from './onnx/bert-tokenizer.ts';
import { createOnnxEmbedder, poolVectors } from './onnx-embedder.ts';

const root = mkdtempSync(join(tmpdir(), 'ltm-onnx-'));
after(() => rmSync(root, { recursive: true }));

const VOCABULARY = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'hello', 'wor', '##ld', '##s', ',', '世', 'cafe'];
const tokenizerJson = (normalizer = {}) =>
  JSON.stringify({
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
      ...normalizer,
    },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  });
const encode = (text: string, maxTokens = 512) =>
  readBertTokenizer(tokenizerJson(), 'here')
    .encode(text, maxTokens)
    .map((id) => VOCABULARY[id]);

/** A folder that looks like a model to everyone but the runtime. */
function makeFolder(name: string, files: Record<string, string> = {}): string {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [file, content] of Object.entries({
    'model.onnx': 'weights',
    'tokenizer.json': tokenizerJson(),
    ...files,
  }))
    writeFileSync(join(folder, file), content);
  return folder;
}

const failed = (message: RegExp) => (error: unknown) =>
  error instanceof EngineError && error.code === 'embedder_failed' && message.test(`${error.message} ${error.hint}`);

describe('the tokenizer of BERT models', () => {
  test('splits words, punctuation and Chinese characters, and folds case and accents', () => {
    assert.deepEqual(encode('Hello,worlds 世café\u200b'), [
      '[CLS]',
      'hello',
      ',',
      'wor',
      '##ld',
      '##s',
      '世',
      'cafe',
      '[SEP]',
    ]);
  });

  test('calls a word unknown that it cannot spell', () =>
    assert.deepEqual(encode('hello worldx'), ['[CLS]', 'hello', '[UNK]', '[SEP]']));

  test('cuts a long text and still ends it', () =>
    assert.deepEqual(encode('hello hello hello worlds', 5), ['[CLS]', 'hello', 'hello', 'hello', '[SEP]']));

  test('refuses other kinds', () => {
    const other = JSON.stringify({ model: { type: 'Unigram', vocab: [] }, normalizer: null });
    assert.throws(() => readBertTokenizer(other, 'here'), failed(/WordPiece/));
  });
});

describe('pooling', () => {
  const answer = { dims: [2, 2, 2], data: Float32Array.of(3, 4, 9, 9, 1, 0, 0, 1) };
  test('takes the mean of the tokens that are there, or the first', () => {
    const [short, long] = poolVectors(answer, { lengths: [1, 2], pooling: 'mean' });
    assert.deepEqual(
      [...short!].map((x) => x.toFixed(2)),
      ['0.60', '0.80'],
    );
    assert.deepEqual(
      [...long!].map((x) => x.toFixed(2)),
      ['0.71', '0.71'],
    );
    assert.deepEqual([...poolVectors(answer, { lengths: [2, 2], pooling: 'cls' })[1]!], [1, 0]);
  });
});

describe('the ONNX embedder', () => {
  test('says what to install when the runtime is absent, and tries again', async () => {
    const folder = makeFolder('no-runtime');
    const embedder = createOnnxEmbedder(folder);
    const absent = failed(new RegExp(`npm install --prefix "${folder.replaceAll('\\', '\\\\')}" onnxruntime-web`));
    await assert.rejects(embedder.embed(['a'], 'query'), absent);
    await assert.rejects(embedder.embed(['a'], 'query'), absent);
    await embedder.close();
  });

  test('says what a folder lacks', () => {
    assert.throws(() => createOnnxEmbedder(join(root, 'absent')), failed(/model\.onnx and tokenizer\.json/));
    const folder = makeFolder('odd', { 'ltm-embedder.json': '{"poling":"cls"}' });
    assert.throws(() => createOnnxEmbedder(folder), failed(/"pooling"/));
  });

  test('has another id for another model, tokenizer or setting', () => {
    const same = createOnnxEmbedder(makeFolder('plain')).id.split('@')[1];
    const ids = [
      makeFolder('weights', { 'model.onnx': 'other weights' }),
      makeFolder('words', { 'tokenizer.json': tokenizerJson({ lowercase: false }) }),
      makeFolder('cls', { 'ltm-embedder.json': '{"pooling":"cls"}' }),
    ].map((folder) => createOnnxEmbedder(folder).id.split('@')[1]);
    assert.equal(new Set([same, ...ids]).size, 4);
    assert.equal(createOnnxEmbedder(makeFolder('again')).id.split('@')[1], same);
  });

  test('knows the dimensions that config.json tells', () => {
    assert.equal(createOnnxEmbedder(makeFolder('told', { 'config.json': '{"hidden_size":384}' })).dimensions, 384);
  });
});

const installed = join(import.meta.dirname, '..', '..', '.scratch', 'onnx');
const real = process.env.LTM_TEST_ONNX_MODEL ?? (existsSync(join(installed, 'model.onnx')) ? installed : null);
if (real === null)
  test('a real ONNX model', {
    skip: 'no model: run scripts/install-onnx-model.sh, or name a folder with a model and a runtime in LTM_TEST_ONNX_MODEL',
  });
else {
  runEmbedderContract('a real ONNX model', async () => createOnnxEmbedder(real));
  test('a real ONNX model puts a question nearer to its answer than to something else', async () => {
    const embedder = createOnnxEmbedder(real);
    const [question] = await embedder.embed(['Where do login sessions live?'], 'query');
    const [answer, other] = await embedder.embed(
      ['User sessions are kept in Redis.', 'The cake needs four eggs.'],
      'passage',
    );
    const cosine = (vector: Float32Array) => vector.reduce((sum, component, i) => sum + component * question![i]!, 0);
    assert.ok(cosine(answer!) > cosine(other!) + 0.05);
    assert.equal(embedder.dimensions, question!.length);
    await embedder.close();
  });
}
