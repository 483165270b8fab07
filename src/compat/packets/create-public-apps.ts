import { type Env, Hono } from 'hono';
import type { Engine } from '../../engine/engine.ts';
import { PACKET_VERSIONS } from '../../features/packets/packet.ts';
import { missingPage, packetPage } from '../../features/packets/packet-page.ts';
import { PACKET_SCHEMAS } from '../../features/packets/packet-schemas.ts';
import { renderResume } from '../../features/packets/render-resume.ts';
import { pageResponse } from '../../pages/page-layout.ts';

/** Published packets, for whoever has the address. */
export function createPublicApp<E extends Env>(engine: Pick<Engine, 'readPublicPacket'>): Hono<E> {
  const app = new Hono<E>();
  app.get('/:slug', async (c) => {
    const stored = await engine.readPublicPacket(c.req.param('slug'));
    if (stored === null) return pageResponse(missingPage(), 404);
    const headers = { 'X-Robots-Tag': 'noindex, nofollow', 'Cache-Control': 'private, no-store' };
    switch (c.req.query('format')) {
      case 'json':
        return new Response(stored.canonical, { headers: { 'Content-Type': 'application/json', ...headers } });
      case 'md':
        return new Response(renderResume(stored.packet), {
          headers: { 'Content-Type': 'text/markdown; charset=utf-8', ...headers },
        });
      default:
        return pageResponse(packetPage(stored.packet));
    }
  });
  app.all('*', () => pageResponse(missingPage(), 404));
  return app;
}

/** The schemas of every packet version this server reads. */
export function createSchemaApp<E extends Env>(): Hono<E> {
  const app = new Hono<E>();
  for (const version of PACKET_VERSIONS) {
    const text = `${JSON.stringify(PACKET_SCHEMAS[version], null, 2)}\n`;
    const headers = { 'Content-Type': 'application/schema+json', 'Cache-Control': 'public, max-age=86400' };
    app.get(`/core-memory.v${version}.json`, () => new Response(text, { headers }));
  }
  return app;
}
