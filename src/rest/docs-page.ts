import { createHash } from 'node:crypto';
import { ERROR_CODES } from '../model/errors.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { ERROR_STATUS } from './error-response.ts';
import type { JsonSchema, OpenApiDocument, Operation } from './openapi.ts';
import { API_PATH } from './rest-env.ts';

/** One static page without scripts. The policy allows its own style sheet, by hash, and nothing else. */
export function createDocsPage(document: OpenApiDocument): { html: string; policy: string } {
  const hash = createHash('sha256').update(DOCS_STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const operations = listOperations(document);
  const groups = document.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>ltm API</title>
<style>${DOCS_STYLE}</style>
</head>
<body>
<nav aria-label="Contents">
<p class="brand">ltm <span>${escapeHtml(document.info.version)}</span></p>
${groups.map(renderMenu).join('\n')}
<p class="group">More</p>
<ul><li><a href="#schemas">Schemas</a></li><li><a href="#errors">Errors</a></li><li><a href="${API_PATH}/openapi.json">openapi.json</a></li></ul>
</nav>
<main>
<h1>Long-term memory over HTTP</h1>
<p class="lead">${escapeHtml(document.info.description)}</p>
<p>Every address below begins with <code>${API_PATH}</code> and needs a token, sent as <code>Authorization: Bearer &lt;token&gt;</code>.</p>
${groups.map(({ name, operations: list }) => `<h2 id="${slug(name)}">${escapeHtml(name)}</h2>\n${list.map(renderOperation).join('\n')}`).join('\n')}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(renderSchema).join('\n')}
<h2 id="errors">Errors</h2>
<p>A failure is <code>application/problem+json</code> with a <code>code</code> from this list, a <code>hint</code> and, where fields are wrong, <code>errors</code>.</p>
<div class="scroll"><table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${ERROR_CODES.map((code) => `<tr id="${code}"><td><code>${code}</code></td><td>${ERROR_STATUS[code][0]}</td><td>${escapeHtml(ERROR_STATUS[code][1])}</td></tr>`).join('\n')}
</tbody></table></div>
</main>
</body>
</html>
`;
  return { html, policy };
}

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

function listOperations(document: OpenApiDocument): Listed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function renderMenu({ name, operations }: { name: string; operations: Listed[] }): string {
  const items = operations.map(
    ({ operation }) => `<li><a href="#${operation.operationId}">${escapeHtml(operation.summary)}</a></li>`,
  );
  return `<p class="group">${escapeHtml(name)}</p>\n<ul>${items.join('')}</ul>`;
}

function renderOperation({ method, path, operation }: Listed): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = Object.entries(requestBody?.content ?? {})[0];
  const answers = Object.entries(responses).map(([status, { description: text, content }]) => {
    const schema = Object.values(content ?? {})[0]?.schema;
    return `<tr><td><code>${status}</code></td><td>${schema === undefined ? '' : describeType(schema)}</td><td>${escapeHtml(text)}</td></tr>`;
  });
  return `<section id="${operationId}">
<h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(summary)}. <span class="scope">${escapeHtml(description)}</span></p>
${parameters.length === 0 ? '' : renderParameters(operation)}
${body === undefined ? '' : `<p>Body, <code>${escapeHtml(body[0])}</code>: ${describeType(body[1].schema)}</p>`}
<div class="scroll"><table><thead><tr><th>Answer</th><th>Body</th><th></th></tr></thead><tbody>${answers.join('')}</tbody></table></div>
<details><summary>Example</summary><pre><code>${escapeHtml(renderCurl(method, path, body))}</code></pre></details>
</section>`;
}

function renderParameters({ parameters }: Operation): string {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required ? ' <em>required</em>' : ''}</td><td>${place}</td><td>${describeType(schema)}</td><td>${escapeHtml(description ?? '')}</td></tr>`,
  );
  return `<div class="scroll"><table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function renderCurl(method: string, path: string, body: [string, { example?: unknown }] | undefined): string {
  const parts = [`curl -H "Authorization: Bearer $LTM_TOKEN"`];
  if (method !== 'GET') parts.push(`-X ${method}`);
  if (body !== undefined) parts.push(`-H "Content-Type: ${body[0]}"`);
  if (body !== undefined)
    parts.push(
      body[1].example === undefined
        ? '--data-binary @export.jsonl'
        : `-d '${JSON.stringify(body[1].example).replaceAll("'", "'\\''")}'`,
    );
  parts.push(`"http://127.0.0.1:8000${API_PATH}${path.replace('{ref}', '$ID')}"`);
  return parts.join(' \\\n  ');
}

function renderSchema([name, schema]: [string, JsonSchema]): string {
  const variants = Array.isArray(schema.oneOf) ? (schema.oneOf as JsonSchema[]) : [schema];
  return `<details class="schema" id="schema-${slug(name)}"><summary><code>${escapeHtml(name)}</code></summary>${variants.map(renderFields).join('')}</details>`;
}

function renderFields(schema: JsonSchema): string {
  const required = new Set((schema.required ?? []) as string[]);
  const rows = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required.has(name) ? ' <em>required</em>' : ''}</td><td>${describeType(field)}</td><td>${escapeHtml(String(field.description ?? ''))}</td></tr>`,
  );
  if (rows.length === 0) return `<p>${describeType(schema)}</p>`;
  return `<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** HTML: a link to a named schema, or the type in words. */
function describeType(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1)!;
    return `<a href="#schema-${slug(name)}">${escapeHtml(name)}</a>`;
  }
  if (schema.const !== undefined) return `<code>${escapeHtml(String(schema.const))}</code>`;
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(several)) return [...new Set((several as JsonSchema[]).map(describeType))].join(' or ');
  if (schema.type === 'array') return `list of ${describeType((schema.items ?? {}) as JsonSchema)}`;
  const { minimum, maximum } = schema;
  const range = typeof minimum === 'number' && typeof maximum === 'number' ? ` ${minimum} to ${maximum}` : '';
  return escapeHtml(`${schema.format === 'date-time' ? 'time' : (schema.type ?? 'any')}${range}`);
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
