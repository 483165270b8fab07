import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { EXAMPLE_PACKET } from './example-packet.ts';
import { canonicalPacket, parsePacket } from './parse-packet.ts';

const MINIMAL = { ltm_version: '0.2', id: '0123456789', created_at: '2026-01-31T16:45:00Z', goal: 'g', next_step: 'n' };

function refuse(input: string | Uint8Array): { message: string; faults: { pointer: string; message: string }[] } {
  const parsed = parsePacket(input);
  assert.ok(parsed.outcome === 'invalid');
  return parsed;
}

describe('parsePacket', () => {
  test('looks at the size before the text, and at the version before the fields', () => {
    assert.match(refuse('x'.repeat(32_769)).message, /^packet too large: 32769 bytes, the limit is 32768 bytes/);
    assert.match(refuse('{"ltm_version":"9"}').message, /^unsupported ltm_version "9"; supported: 0\.1, 0\.2$/);
    assert.match(
      refuse(JSON.stringify({ ...MINIMAL, created_at: 'yesterday', goal: '' })).message,
      /^schema violation:\n- at '\/goal': [^\n]+$/,
    );
  });

  test('names each faulty field, its limit and its value', () => {
    const { message, faults } = refuse(
      JSON.stringify({ ...MINIMAL, goal: 'g'.repeat(1025), attempts: [{ tried: 't', outcome: 'won' }], tags: ['Big'] }),
    );
    assert.deepEqual(
      faults.map(({ pointer }) => pointer),
      ['/goal', '/tags/0', '/attempts/0/outcome'],
    );
    assert.match(message, /at '\/goal': longer than 1024 characters: 1025, got "g{40}…"/);
    assert.match(message, /at '\/attempts\/0\/outcome': not one of succeeded, failed, partial: got "won"/);
    assert.match(message, /at '\/tags\/0': does not match the pattern .*: got "Big"/);
  });

  test('says so when a packet marked 0.1 is one of version 0.2', () => {
    assert.match(
      refuse(JSON.stringify({ ...MINIMAL, ltm_version: '0.1', methods: [] })).message,
      /additional field "methods".*\nAs version 0\.2 it is valid: set ltm_version to "0\.2"\.$/,
    );
    assert.doesNotMatch(refuse(JSON.stringify({ ...MINIMAL, ltm_version: '0.1', other: 1 })).message, /As version/);
  });

  test('shows nothing of a secret in what it says about a refused packet', () => {
    const secret = ['gh', 'p_', 'a1B2c3D4'.repeat(5)].join('');
    for (const packet of [
      { ...MINIMAL, tags: [secret] },
      { ...MINIMAL, [secret]: 1 },
      { ...MINIMAL, created_at: secret },
      { ...MINIMAL, ltm_version: secret },
    ]) {
      assert.doesNotMatch(refuse(JSON.stringify(packet)).message, /a1B2c3/);
    }
    assert.doesNotMatch(refuse(`{"goal": ${secret}}`).message, /a1B2c3/);
  });

  test('keeps the answer to thousands of unknown fields short', () => {
    const unknown = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`f${i}`, 0]));
    const { message } = refuse(JSON.stringify({ ...MINIMAL, ...unknown }));
    assert.ok(message.length < 20_000, String(message.length));
    assert.match(message, /and 2900 more$/);
  });

  test('measures the bytes that came, however long the canonical form is', () => {
    const escaped = JSON.stringify({ ...MINIMAL, constraints: Array.from({ length: 30 }, () => '<'.repeat(1024)) });
    const [most, more] = [32_768, 32_769].map((size) => escaped + ' '.repeat(size - escaped.length));
    const parsed = parsePacket(most!);
    assert.ok(parsed.outcome === 'valid' && parsed.canonical.length > 180_000);
    assert.match(refuse(more!).message, /^packet too large: 32769 bytes/);
    assert.equal(parsePacket(more!, { received: 32_768 }).outcome, 'valid');
    assert.equal(parsePacket(escaped, { received: 32_769 }).outcome, 'invalid');
    assert.match(refuse(parsed.canonical).message, /^packet too large/);
    const again = parsePacket(parsed.canonical, { anySize: true });
    assert.ok(again.outcome === 'valid' && again.canonical === parsed.canonical);
  });

  test('takes the example, and gives it back as it is', () => {
    const text = canonicalPacket(EXAMPLE_PACKET);
    const parsed = parsePacket(text);
    assert.ok(parsed.outcome === 'valid');
    assert.equal(parsed.canonical, text);
    assert.deepEqual(parsed.packet, EXAMPLE_PACKET);
  });

  test('never throws, whatever the bytes, and what it takes it takes again', () => {
    const anyPacket = fc.record({
      ...Object.fromEntries(Object.entries(MINIMAL).map(([key, value]) => [key, fc.constant(value)])),
      goal: fc.string({ unit: 'binary', minLength: 1 }),
      project: fc.json().map((text) => JSON.parse(text) as unknown),
    });
    const inputs = fc.oneof(
      fc.uint8Array(),
      fc.json(),
      anyPacket.map((packet) => JSON.stringify(packet)),
    );
    fc.assert(
      fc.property(inputs, (input) => {
        const parsed = parsePacket(input);
        if (parsed.outcome === 'invalid') return parsed.message !== '';
        const again = parsePacket(parsed.canonical);
        return again.outcome === 'valid' && again.canonical === parsed.canonical;
      }),
    );
  });
});
