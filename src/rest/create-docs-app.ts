import { Hono } from 'hono';
import { createDocsPage } from './docs-page.ts';
import { createOpenApiDocument } from './openapi.ts';
import type { RestEnv } from './rest-env.ts';
import type { Route } from './route.ts';

/** Needs no token: both say only what the published program says of itself, nothing of this server or what it holds. */
export function createDocsApp(routes: readonly Route[]): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  let document: string | null = null;
  let page: { html: string; policy: string } | null = null;
  app.get('/openapi.json', () => {
    document ??= JSON.stringify(createOpenApiDocument(routes));
    return new Response(document, { headers: { 'Content-Type': 'application/json' } });
  });
  app.get('/docs', () => {
    page ??= createDocsPage(createOpenApiDocument(routes));
    return new Response(page.html, {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': page.policy },
    });
  });
  return app;
}
