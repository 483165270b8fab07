import type { z } from 'zod';
import type { Action } from '../engine/authorize.ts';
import type { Caller } from '../model/caller.ts';
import type { Method } from '../verbs/verb.ts';
import type { RestPorts } from './rest-env.ts';

export const REQUEST_HEADERS = {
  'If-Match':
    'Optimistic locking: an ETag such as "3". The request fails with 412 unless the memory is at that revision.',
  'If-None-Match': 'An ETag. The answer is 304 if the memory is still at that revision.',
  'Last-Event-ID': 'The id of the last event you received. Later events are sent first.',
  'Idempotency-Key': 'A key of your choice. A retry with the same key returns the first response and writes nothing.',
  'X-Agent-ID':
    'The agent that writes. Sets the label `agent`, unless the body has one, and adds the tag `agent:<id>`.',
  'X-Client-Hostname':
    'The machine that writes. Sets the source host, unless the body has one, and adds the tag `source:<host>`.',
  'X-Time-Zone': "IANA time zone for time phrases, such as Europe/Berlin. Default: the server's.",
} as const;
export type RequestHeader = keyof typeof REQUEST_HEADERS;

export interface AnswerShape {
  description: string;
  /** Absent: no body. */
  schema?: z.ZodType;
  /** JSON unless this says otherwise. */
  contentType?: string;
}

/** What a handler is given: everything parsed, nothing left to check but what only the engine knows. */
export interface RouteCall extends RestPorts {
  caller: Caller;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
  request: Request;
  /** Where it comes from. */
  address: string;
  /** undefined where the client did not send it. */
  header(name: RequestHeader): string | undefined;
}

export interface Answer {
  status: number;
  body?: unknown;
  /** Instead of a body: lines sent as they come. */
  lines?: AsyncIterable<string>;
  /** Instead of a body: bytes as they come. */
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

/** One line of the API: what it is called, who may call it, what goes in, what comes out. The document is made from the same. */
export interface Route {
  method: Method;
  /** Below API_PATH, as OpenAPI writes it: `/memories/{ref}`. */
  path: string;
  /** Also the operation's id. */
  name: string;
  /** Asked of `authorize` before the body is read. */
  action: Action;
  group: string;
  /** Whether it changes anything; limits of writes count it then. */
  writes?: boolean;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** The limit of uploads holds for its body. */
  isUpload?: true;
  /** For a body that is read as a stream: its content types. */
  streamedBody?: readonly string[];
  /** The body is a file: as it is, or in a form. */
  fileBody?: boolean;
  headers?: readonly RequestHeader[];
  example?: { path?: string; body?: unknown };
  answers: Readonly<Record<number, AnswerShape>>;
  handle(call: RouteCall): Promise<Answer>;
}
