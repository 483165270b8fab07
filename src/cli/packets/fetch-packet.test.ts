import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePacket } from '../../../test/make-packet.ts';
import type { PacketHost } from '../../server/local-host.ts';
import { fetchAncestors } from './fetch-packet.ts';

/** A server that knows packets by id and nothing else, as the reference is. */
function plainServer(parents: Record<string, string | undefined>): PacketHost {
  return {
    host: 'http://plain',
    async fetch(path) {
      const id = decodeURIComponent(path.slice('/v1/packets/'.length));
      if (!Object.hasOwn(parents, id)) return Response.json({ error: 'not found' }, { status: 404 });
      const parent = parents[id];
      return Response.json(makePacket({ id, ...(parent !== undefined && { parent_id: parent }) }));
    },
  };
}

test('a chain is followed packet by packet where the server does not do it', async () => {
  const straight = await fetchAncestors(
    plainServer({ 'packet/third': 'packet second', 'packet second': 'packet-first', 'packet-first': undefined }),
    'packet/third',
  );
  assert.deepEqual(
    [straight.packets.map(({ id }) => id), straight.missing],
    [['packet/third', 'packet second', 'packet-first'], null],
  );
  const cut = await fetchAncestors(plainServer({ 'packet-second': 'packet-first' }), 'packet-second');
  assert.deepEqual([cut.packets.length, cut.missing], [1, 'packet-first']);
  const circle = await fetchAncestors(
    plainServer({ 'packet-first': 'packet-second', 'packet-second': 'packet-first' }),
    'packet-first',
  );
  assert.deepEqual([circle.packets.length, circle.circular], [2, true]);
  await assert.rejects(fetchAncestors(plainServer({}), 'packet-first'), /server returned 404: not found/);
});
