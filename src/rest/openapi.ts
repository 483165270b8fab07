import { z } from 'zod';
import { type Action, scopeOf } from '../engine/authorize.ts';
import { ANSWERS } from '../features/answers.ts';
import { VERSION } from '../model/version.ts';
import { problemSchema } from './error-response.ts';
import { API_PATH } from './rest-env.ts';
import { type AnswerShape, REQUEST_HEADERS, type Route } from './route.ts';
import { ROUTES } from './route-table.ts';

export type JsonSchema = { [keyword: string]: unknown };

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: JsonSchema }> }>;
}

export type OpenApiDocument = ReturnType<typeof createOpenApiDocument>;
type SchemaNames = ReturnType<typeof nameSchemas>;

/** The description of the API, made from what the routes check with. */
export function createOpenApiDocument(routes = ROUTES) {
  const names = nameSchemas(routes);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: describeRoute(route, names) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'ltm',
      version: VERSION,
      description:
        'Long-term memory for AI agents. Errors are problem documents with a code and a hint; unknown fields and parameters are errors.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API_PATH }],
    security: [{ token: [] }],
    tags: [...new Set(routes.map((route) => route.group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: describeSchemas(names),
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token of this server.' } },
    },
  };
}

/** Everything that the document says once and refers to afterwards. */
function nameSchemas(routes: readonly Route[]) {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(ANSWERS)) if (/^[A-Z]/.test(id)) names.add(schema, { id });
  names.add(problemSchema, { id: 'Problem' });
  for (const { name, body, answers } of routes) {
    const title = name[0]!.toUpperCase() + name.slice(1);
    if (body !== undefined && !names.has(body)) names.add(body, { id: `${title}Request` });
    for (const { schema } of Object.values(answers))
      if (schema !== undefined && !names.has(schema)) names.add(schema, { id: `${title}Answer` });
  }
  return names;
}

function describeSchemas(names: SchemaNames): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(names, { uri: toRef, override: ({ jsonSchema }) => shorten(jsonSchema) });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]));
}

/** Leaves out what zod adds and nobody needs to read: the pattern behind a named format, and the bounds of JavaScript's integers. */
function shorten(schema: JsonSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function describeRoute(route: Route, names: SchemaNames): Operation {
  const refer = (schema: z.ZodType): JsonSchema => ({ $ref: toRef(names.get(schema)!.id) });
  const problem = {
    description: 'Any failure.',
    content: { 'application/problem+json': { schema: refer(problemSchema) } },
  };
  const responses: Operation['responses'] = {};
  for (const [status, answer] of Object.entries(route.answers))
    responses[status] = describeAnswer(answer, Number(status), refer);
  return {
    operationId: route.name,
    summary: route.summary,
    description: describeNeeds(route.action),
    tags: [route.group],
    parameters: [
      ...fieldParameters(route.params, 'path'),
      ...fieldParameters(route.query, 'query'),
      ...headerParameters(route),
    ],
    ...describeBody(route, refer),
    responses: { ...responses, default: problem },
  };
}

function describeBody(route: Route, refer: (schema: z.ZodType) => JsonSchema): Pick<Operation, 'requestBody'> {
  if (route.body !== undefined) {
    const content = { 'application/json': { schema: refer(route.body), example: route.example?.body } };
    return { requestBody: { required: true, content } };
  }
  if (route.fileBody === true) {
    const file = { type: 'string', format: 'binary' };
    const form = { type: 'object', properties: { file }, required: ['file'] };
    const types = { 'multipart/form-data': { schema: form }, 'application/octet-stream': { schema: file } };
    return { requestBody: { required: true, content: types } };
  }
  if (route.streamedBody === undefined) return {};
  const content = Object.fromEntries(route.streamedBody.map((type) => [type, { schema: { type: 'string' } }]));
  return { requestBody: { required: true, content } };
}

function describeAnswer(
  answer: AnswerShape,
  status: number,
  refer: (schema: z.ZodType) => JsonSchema,
): Operation['responses'][string] {
  const { description, schema } = answer;
  if (status >= 400) return { description, content: { 'application/problem+json': { schema: refer(problemSchema) } } };
  if (schema === undefined) return { description };
  return { description, content: { [answer.contentType ?? 'application/json']: { schema: refer(schema) } } };
}

function fieldParameters(schema: z.ZodObject | undefined, place: 'path' | 'query'): Parameter[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { $schema, description, ...rest } = z.toJSONSchema(field as z.ZodType, {
      override: ({ jsonSchema }) => shorten(jsonSchema),
    });
    return { name, in: place, required: place === 'path', description, schema: rest };
  });
}

function headerParameters({ headers = [] }: Route): Parameter[] {
  return headers.map((name) => ({
    name,
    in: 'header',
    required: false,
    description: REQUEST_HEADERS[name],
    schema: { type: 'string' },
  }));
}

function describeNeeds(action: Action): string {
  const scope = scopeOf(action);
  return action === scope
    ? `Needs the scope ${scope}.`
    : `Needs the scope ${scope} and, in a team, a role that may ${action.replace('_', ' ')}.`;
}

function toRef(id: string): string {
  return `#/components/schemas/${id}`;
}
