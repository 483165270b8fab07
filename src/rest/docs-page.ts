import { ERROR_CODES } from '../model/errors.ts';
import { type Html, html, prose } from '../pages/html.ts';
import { BRAND, type Page } from '../pages/page-layout.ts';
import { ERROR_STATUS } from './error-response.ts';
import type { JsonSchema, OpenApiDocument, Operation } from './openapi.ts';
import { API_PATH } from './rest-env.ts';

export function createDocsPage(document: OpenApiDocument): Page {
  const operations = listOperations(document);
  const groups = document.tags.map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const body = html`<nav aria-label="Contents">
${BRAND}
${groups.map(renderMenu)}
<p class="group">More</p>
<ul><li><a href="#schemas">Schemas</a></li><li><a href="#errors">Errors</a></li><li><a href="${API_PATH}/openapi.json">openapi.json</a></li></ul>
</nav>
<main>
<h1>Long-term memory over HTTP</h1>
<p class="soft">Version ${document.info.version}. ${document.info.description}</p>
<p>Every address below begins with <code>${API_PATH}</code> and needs a token, sent as <code>Authorization: Bearer &lt;token&gt;</code>.</p>
${groups.map(({ name, operations: list }) => html`<h2 id="${slug(name)}">${name}</h2>\n${list.map(renderOperation)}`)}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(renderSchema)}
<h2 id="errors">Errors</h2>
<p>A failure is <code>application/problem+json</code> with a <code>code</code> from this list, a <code>hint</code> and, where fields are wrong, <code>errors</code>.</p>
${table(
  ['Code', 'Status', 'Meaning'],
  ERROR_CODES.map(
    (code) =>
      html`<tr id="${code}"><td><code>${code}</code></td><td>${ERROR_STATUS[code][0]}</td><td>${ERROR_STATUS[code][1]}</td></tr>\n`,
  ),
)}
</main>`;
  return { title: 'API', body, look: 'reference' };
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

function table(heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function renderMenu({ name, operations }: { name: string; operations: Listed[] }): Html {
  const items = operations.map(
    ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
  );
  return html`<p class="group">${name}</p>\n<ul>${items}</ul>\n`;
}

function renderOperation({ method, path, operation }: Listed): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const body = Object.entries(requestBody?.content ?? {})[0];
  const answers = Object.entries(responses).map(([status, { description: text, content }]) => {
    const schema = Object.values(content ?? {})[0]?.schema;
    return html`<tr><td><code>${status}</code></td><td>${schema && describeType(schema)}</td><td>${prose(text)}</td></tr>`;
  });
  return html`<section id="${operationId}">
<h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></h3>
<p>${summary}. <span class="soft">${description}</span></p>
${parameters.length === 0 ? null : renderParameters(operation)}
${body === undefined ? null : html`<p>Body, <code>${body[0]}</code>: ${describeType(body[1].schema)}</p>`}
${table(['Answer', 'Body', ''], answers)}
<details><summary>Example</summary><pre><code>${renderCurl(method, path, body)}</code></pre></details>
</section>
`;
}

function renderParameters({ parameters }: Operation): Html {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><td>${fieldName(name, required)}</td><td>${place}</td><td>${describeType(schema)}</td><td>${prose(description ?? '')}</td></tr>`,
  );
  return table(['Parameter', 'In', 'Type', ''], rows);
}

function fieldName(name: string, isRequired: boolean | undefined): Html {
  return html`<code>${name}</code>${isRequired ? html` <em>required</em>` : null}`;
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

function renderSchema([name, schema]: [string, JsonSchema]): Html {
  const variants = Array.isArray(schema.oneOf) ? (schema.oneOf as JsonSchema[]) : [schema];
  return html`<details class="schema" id="schema-${slug(name)}"><summary><code>${name}</code></summary>${variants.map(renderFields)}</details>\n`;
}

function renderFields(schema: JsonSchema): Html {
  const required = new Set((schema.required ?? []) as string[]);
  const rows = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, field]) =>
      html`<tr><td>${fieldName(name, required.has(name))}</td><td>${describeType(field)}</td><td>${prose(String(field.description ?? ''))}</td></tr>`,
  );
  return rows.length === 0 ? html`<p>${describeType(schema)}</p>` : table(['Field', 'Type', ''], rows);
}

/** A link to a named schema, or the type in words. */
function describeType(schema: JsonSchema): Html {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1)!;
    return html`<a href="#schema-${slug(name)}">${name}</a>`;
  }
  const asCode = (value: unknown): Html => html`<code>${String(value)}</code>`;
  if (schema.const !== undefined) return asCode(schema.const);
  if (Array.isArray(schema.enum)) return join(schema.enum.map(asCode), ' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(several)) return join((several as JsonSchema[]).map(describeType), ' or ');
  if (schema.type === 'array') return html`list of ${describeType((schema.items ?? {}) as JsonSchema)}`;
  const { minimum, maximum } = schema;
  const range = typeof minimum === 'number' && typeof maximum === 'number' ? ` ${minimum} to ${maximum}` : '';
  return html`${schema.format === 'date-time' ? 'time' : (schema.type ?? 'any')}${range}`;
}

/** Each once. */
function join(pieces: readonly Html[], between: string): Html {
  const different = [...new Map(pieces.map((piece) => [piece.toString(), piece])).values()];
  return html`${different.map((piece, i) => (i === 0 ? piece : html`${between}${piece}`))}`;
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
