import { Hono } from 'hono';
import { pageHeaders, renderPage } from '../pages/page-layout.ts';
import { createDocsPage } from './docs-page.ts';
import { createOpenApiDocument } from './openapi.ts';
import type { RestEnv } from './rest-env.ts';
import type { Route } from './route.ts';

/** Needs no token: both say only what the published program says of itself, nothing of this server or what it holds. */
export function createDocsApp(routes: readonly Route[]): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  let document: string | null = null;
  let page: string | null = null;
  app.get('/openapi.json', () => {
    document ??= JSON.stringify(createOpenApiDocument(routes));
    return new Response(document, { headers: { 'Content-Type': 'application/json' } });
  });
  app.get('/docs', () => {
    page ??= renderPage(createDocsPage(createOpenApiDocument(routes)));
    return new Response(page, { headers: pageHeaders({}) });
  });
  return app;
}
