import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makePacket } from '../../../test/make-packet.ts';
import { createRemotePackets } from './remote-packets.ts';

/** A server that gives these answers, one after the other; `asked` is what it was sent. */
function serverThat(answer: (path: string, init?: RequestInit) => Response) {
  const asked: string[] = [];
  const fetch = async (path: string, init?: RequestInit): Promise<Response> => {
    asked.push(`${init?.method ?? 'GET'} ${path}`);
    return answer(path, init);
  };
  return { asked, packets: createRemotePackets({ host: 'http://plain', fetch }, 'the crew') };
}

/** Knows packets by id and nothing else, as the reference does. */
function plainServer(parents: Record<string, string | undefined>) {
  return serverThat((path) => {
    const id = decodeURIComponent(path.slice('/v1/packets/'.length, path.indexOf('?')));
    if (!Object.hasOwn(parents, id)) return Response.json({ error: 'not found' }, { status: 404 });
    const parent = parents[id];
    return Response.json(makePacket({ id, ...(parent !== undefined && { parent_id: parent }) }));
  }).packets;
}

describe('packets on a server of the packet protocol', () => {
  test('a chain is followed packet by packet where the server does not do it', async () => {
    const straight = await plainServer({
      'packet/third': 'packet second',
      'packet second': 'packet-first',
      'packet-first': undefined,
    }).listAncestors({ id: 'packet/third' });
    assert.deepEqual(
      [straight.packets.map(({ id }) => id), straight.missing],
      [['packet/third', 'packet second', 'packet-first'], null],
    );
    const cut = await plainServer({ 'packet-second': 'packet-first' }).listAncestors({ id: 'packet-second' });
    assert.deepEqual([cut.packets.length, cut.missing], [1, 'packet-first']);
    const circle = await plainServer({
      'packet-first': 'packet-second',
      'packet-second': 'packet-first',
    }).listAncestors({ id: 'packet-first' });
    assert.deepEqual([circle.packets.length, circle.circular], [2, true]);
    await assert.rejects(plainServer({}).listAncestors({ id: 'packet-first' }), /server returned 404: not found/);
  });

  test('everything is asked of the team, by the addresses of the protocol', async () => {
    const { asked, packets } = serverThat((path) =>
      path.includes('publish') ? Response.json({}) : Response.json({ id: 'x', packets: [], cursor: 'more' }),
    );
    assert.deepEqual(await packets.savePacket({ raw: new Uint8Array(), allowUnredacted: ['goal/abs-path'] }), {
      id: 'x',
    });
    assert.deepEqual(await packets.listPackets({ limit: 5, tag: 'a&b' }), { packets: [], cursor: 'more' });
    assert.equal((await packets.getPacket({ id: 'a/b' })).packet, null, 'what is no packet is given as it came');
    assert.equal((await packets.publishPacket({ id: 'some-packet' })).publicUrl, undefined);
    await packets.unpublishPacket({ id: 'some-packet' });
    await packets.deletePacket({ id: 'some-packet' });
    assert.deepEqual(asked, [
      'POST /v1/packets?team=the+crew&allow_unredacted=goal%2Fabs-path',
      'GET /v1/packets?team=the+crew&limit=5&tag=a%26b',
      'GET /v1/packets/a%2Fb?team=the+crew',
      'POST /v1/packets/some-packet/publish?team=the+crew',
      'DELETE /v1/packets/some-packet/publish?team=the+crew',
      'DELETE /v1/packets/some-packet?team=the+crew',
    ]);
  });

  test('refusals, redirects and answers of something else are told in a sentence', async () => {
    const tries: [Response, RegExp, string][] = [
      [new Response('{"error":"no"}', { status: 403 }), /^server returned 403: no$/, 'forbidden'],
      [new Response('a page', { status: 502 }), /^server returned 502: a page$/, 'internal'],
      [
        new Response(null, { status: 302, headers: { location: 'http://x' } }),
        /returned 302: it sends to http/,
        'internal',
      ],
      [new Response('<html>'), /did not answer like a packet server/, 'internal'],
      [new Response('[]'), /did not answer like a packet server/, 'internal'],
      [new Response('{"packets":"none"}'), /did not answer like a packet server/, 'internal'],
    ];
    for (const [response, message, code] of tries)
      await assert.rejects(serverThat(() => response).packets.listPackets({}), { message, code });
    const { asked, packets } = serverThat(() => new Response());
    await assert.rejects(packets.deletePacket({ id: '..' }), { code: 'invalid_input' });
    assert.deepEqual(asked, []);
  });
});
