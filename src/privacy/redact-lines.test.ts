import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { redactLines } from './redact-lines.ts';

test('a private key in a line of more than a megabyte is seen whole, wherever it stands', () => {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
  });
  const lines = privateKey.trim().split('\n').slice(1, -1);
  // As `head` shows it: without its end.
  const shown = privateKey.trim().split('\n').slice(0, -1).join('\n');
  const words = 'the crane was serviced in May ';
  for (let back = 40; back < 280; back += 20) {
    const before = words.repeat((1 << 20) / words.length + 1).slice(0, (1 << 20) - back);
    const line = JSON.stringify({
      text: `${before}\n${shown}\n\n${words.repeat(100)}`,
    });
    const { bytes, replaced } = redactLines(Buffer.from(`${line}\n`));
    assert.ok(replaced > 0);
    assert.deepEqual(
      lines.filter((one) => bytes.includes(one)),
      [],
      `${back} characters before the border`,
    );
  }
});
