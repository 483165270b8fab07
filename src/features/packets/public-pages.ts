import { pageResponse } from '../../pages/page-layout.ts';
import { createPages, type PageCall } from '../../rest/create-pages.ts';
import type { HttpHost, HttpPart } from '../host.ts';
import { PACKET_VERSIONS } from './packet.ts';
import { missingPage, packetPage } from './packet-page.ts';
import { PACKET_SCHEMAS } from './packet-schemas.ts';
import { renderResume } from './render-resume.ts';

/** Published packets at /p, the packets' schemas at /schema. */
export function publicPages({ engine }: Pick<HttpHost, 'engine'>): HttpPart {
  return {
    mounts: [
      { path: '/p', app: createPages({ '/:slug': (asked) => showPacket(engine, asked) }, missing) },
      { path: '/schema', app: createPages(schemaPages()) },
    ],
  };
}

/** For whoever has the address. */
async function showPacket(engine: HttpHost['engine'], { param, query }: PageCall): Promise<Response> {
  const stored = await engine.readPublicPacket(param('slug'));
  if (stored === null) return missing();
  const headers = { 'X-Robots-Tag': 'noindex, nofollow', 'Cache-Control': 'private, no-store' };
  switch (query('format')) {
    case 'json':
      return new Response(stored.canonical, { headers: { 'Content-Type': 'application/json', ...headers } });
    case 'md':
      return new Response(renderResume(stored.packet), {
        headers: { 'Content-Type': 'text/markdown; charset=utf-8', ...headers },
      });
    default:
      return pageResponse(packetPage(stored.packet));
  }
}

function missing(): Response {
  return pageResponse(missingPage(), 404);
}

/** The schemas of every packet version that this server reads. */
function schemaPages(): Record<string, () => Response> {
  const headers = { 'Content-Type': 'application/schema+json', 'Cache-Control': 'public, max-age=86400' };
  return Object.fromEntries(
    PACKET_VERSIONS.map((version) => {
      const text = `${JSON.stringify(PACKET_SCHEMAS[version], null, 2)}\n`;
      return [`/core-memory.v${version}.json`, () => new Response(text, { headers })];
    }),
  );
}
