import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scopeOf } from '../engine/authorize.ts';
import { ERROR_CODES } from '../model/errors.ts';
import { renderPage } from '../pages/page-layout.ts';
import { createDocsPage } from './docs-page.ts';
import { createOpenApiDocument } from './openapi.ts';
import { ROUTES } from './route-table.ts';

const document = createOpenApiDocument();

it('describes every route, with its scope, its parameters and its answers', () => {
  for (const route of ROUTES) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    assert.equal(operation?.operationId, route.name);
    assert.match(
      operation.description,
      new RegExp(`${scopeOf(route.action)}\\b.*${route.action.replace('_', ' ')}|the scope ${route.action}\\.`),
    );
    for (const status of Object.keys(route.answers)) assert.ok(operation.responses[status], `${route.name} ${status}`);
    for (const name of route.path.matchAll(/\{(\w+)\}/g))
      assert.ok(operation.parameters.some((parameter) => parameter.in === 'path' && parameter.name === name[1]));
    const hasBody = route.body !== undefined || route.streamedBody !== undefined || route.fileBody === true;
    assert.equal(operation.requestBody !== undefined, hasBody);
  }
  assert.equal(new Set(ROUTES.map(({ name }) => name)).size, ROUTES.length);
});

it('refers only to schemas that are there', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(refs.length > 20);
  for (const ref of refs) assert.ok(document.components.schemas[ref.replace('#/components/schemas/', '')], ref);
});

it('lists the methods and fields that a client needs to write', () => {
  const fields = document.components.schemas.NewMemory?.properties as Record<string, unknown>;
  for (const field of ['content', 'type', 'tags', 'metadata', 'conversation_id', 'on_duplicate', 'valid_until'])
    assert.ok(field in fields, field);
  const limit = document.paths['/memories']?.get?.parameters.find(({ name }) => name === 'limit');
  assert.deepEqual(limit?.schema, { type: 'integer', minimum: 1, maximum: 1000 });
});

it('is shown as a page without scripts that names every route, schema and error', () => {
  const html = renderPage(createDocsPage(document));
  assert.doesNotMatch(html, /<script|https?:\/\/(?!127\.0\.0\.1)/);
  for (const { name } of ROUTES) assert.ok(html.includes(`id="${name}"`), name);
  for (const code of ERROR_CODES) assert.ok(html.includes(`id="${code}"`), code);
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(html.includes(`id="${target}"`), target);
});
