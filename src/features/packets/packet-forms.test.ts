import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makePacket } from '../../../test/make-packet.ts';
import { inspectPacket } from './packet-forms.ts';

const AWS = ['AKIA', 'ABCDEFGHIJ234567'].join('');
const ESCAPED = AWS.replace('A', '\\u0041');

function found(text: string): string[] {
  return inspectPacket(Buffer.from(text), false).findings.map(({ field, kind }) => `${field}/${kind}`);
}

describe('inspectPacket', () => {
  test('names the field of what it finds', () => {
    assert.deepEqual(found(JSON.stringify(makePacket({ goal: AWS }))), ['goal/aws-key']);
  });

  test('finds what the second of two equal keys hides, because the bytes are sent as they are', () => {
    const text = JSON.stringify(makePacket()).replace('{', `{"goal":"${ESCAPED}",`);
    assert.notEqual(inspectPacket(Buffer.from(text), false).packet, null, 'it is a valid packet');
    assert.deepEqual(found(text), ['text/aws-key']);
    assert.deepEqual(found(JSON.stringify(makePacket())), []);
  });

  test('finds secrets in what is no packet and in what is no JSON: keys, values, escapes, loose text', () => {
    for (const text of [
      `{"${ESCAPED}":1}`,
      `{"a":{"b":["${ESCAPED}"]}}`,
      `{"goal":"${ESCAPED}" broken`,
      `just ${AWS}`,
      `{"password": "q8Zt4rLmP2x"}`,
    ]) {
      assert.equal(found(text).length, 1, text);
    }
  });
});
