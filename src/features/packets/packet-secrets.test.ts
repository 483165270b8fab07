import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkFields } from '../../privacy/check-fields.ts';
import { describeFinding } from '../../privacy/field-finding.ts';
import { EXAMPLE_PACKET } from './example-packet.ts';
import type { Packet } from './packet.ts';

const PACKET: Packet = {
  ltm_version: '0.2',
  id: '0123456789',
  created_at: '2026-01-31T16:45:00Z',
  goal: 'g',
  next_step: 'n',
};
const lines = (packet: Partial<Packet>): string[] => checkFields({ ...PACKET, ...packet }).map(describeFinding);
const GITHUB = ['gh', 'p_', 'a1B2'.repeat(9)].join('');

describe('secrets in packets', () => {
  test('finds nothing in the example', () => {
    assert.deepEqual(checkFields(EXAMPLE_PACKET), []);
  });

  test('shows 32 characters of what is longer, and a path as it is', () => {
    assert.deepEqual(lines({ goal: '/home/robin/work/parcel-tracker/src' }), [
      'goal/abs-path: /home/robin/work/parcel-tracker/…',
    ]);
    assert.deepEqual(lines({ goal: `/home/${'a'.repeat(26)}` }), [`goal/abs-path: /home/${'a'.repeat(26)}`]);
  });

  test('never shows a whole secret, long or short', () => {
    assert.deepEqual(lines({ goal: GITHUB }), [`goal/gh-token: ghp_${'*'.repeat(28)}…`]);
    assert.deepEqual(lines({ goal: 'password=Tr0ub4dor' }), ['goal/password: Tr*******']);
    assert.deepEqual(lines({ goal: ['-----BEGIN EC PRIVATE', ' KEY-----'].join('') }), [
      'goal/private-key: -----BEGIN ***** PRIVATE KEY-----',
    ]);
  });

  test('reports two shapes of one kind in one field, and one shape once', () => {
    assert.deepEqual(lines({ goal: '/home/a/b and /etc/passwd and C:\\Users\\robin' }), [
      'goal/abs-path: /home/a/b',
      'goal/abs-path: C:\\Users\\robin',
    ]);
  });

  test('looks into every text, also tags, names and provenance', () => {
    const tag = ['hv', 's-', 'x'].join('');
    const found = lines({
      project: { ref: '/srv/x' },
      provenance: { author_human: '~/robin' },
      methods: [{ name: 'm', when_applicable: 'w', how: 'cat /etc/hosts' }],
      tags: [tag],
    });
    assert.deepEqual(found, [
      'project.ref/abs-path: /srv/x',
      'provenance.author_human/abs-path: ~/robin',
      'methods[0].how/abs-path: /etc/hosts',
    ]);
  });
});
