import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { redactLines } from './redact-lines.ts';

test('a private key in a line of more than a megabyte is seen whole, wherever it stands', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const lines = privateKey.trim().split('\n').slice(1, -1);
  const words = 'the crane was serviced in May ';
  for (const back of [200, 900, 1500]) {
    const before = words.repeat((1 << 20) / words.length).slice(0, (1 << 20) - back);
    const line = JSON.stringify({ text: `${before}\n${privateKey}${words.repeat(100)}` });
    const { bytes, replaced } = redactLines(Buffer.from(`${line}\n`));
    assert.ok(replaced > 0);
    assert.deepEqual(
      lines.filter((one) => bytes.includes(one)),
      [],
      `${back} characters before the border`,
    );
  }
});
