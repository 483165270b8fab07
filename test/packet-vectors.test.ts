import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVectors, toBytes } from '../conformance/vectors.ts';
import { parsePacket } from '../src/features/packets/parse-packet.ts';
import { checkFields } from '../src/privacy/check-fields.ts';

for (const { name, row, input, expect } of readVectors()) {
  test(`${row}: ${name}`, () => {
    const parsed = parsePacket(toBytes(input));
    if (expect.outcome === 'rejected') {
      assert.equal(parsed.outcome, 'invalid');
      const message = parsed.outcome === 'invalid' ? parsed.message.toLowerCase() : '';
      for (const part of expect.says ?? [])
        assert.ok(message.includes(part.toLowerCase()), `"${part}" is not in: ${message}`);
      return;
    }
    assert.ok(parsed.outcome === 'valid', parsed.outcome === 'invalid' ? parsed.message : '');
    if (expect.canonical !== undefined) assert.equal(parsed.canonical, expect.canonical);
    const again = parsePacket(parsed.canonical, { anySize: true });
    assert.ok(again.outcome === 'valid' && again.canonical === parsed.canonical);
    const found = checkFields(parsed.packet).map(({ field, kind }) => `${field}/${kind}`);
    assert.deepEqual(found.toSorted(), (expect.findings ?? []).toSorted());
  });
}
