import type { z } from 'zod';
import type { Action } from '../engine/authorize.ts';
import type { Caller } from '../model/caller.ts';
import type { Method } from '../verbs/verb.ts';
import type { RestPorts } from './rest-env.ts';

export const REQUEST_HEADERS = {
  'If-Match': 'The ETag you have, such as "3": act only if the memory is still at that revision.',
  'If-None-Match': 'The ETag you have: answer 304 if the memory is still at that revision.',
  'Last-Event-ID': 'The id of the last event you have seen: what happened since then is sent first.',
  'Idempotency-Key':
    'A name of your choice for this request. A retry with the same key gets the first answer and writes nothing.',
  'X-Agent-ID':
    'The agent that writes: becomes the label `agent`, unless the body names one, and the tag `agent:<id>`.',
  'X-Client-Hostname':
    'The machine that writes: becomes the source host, unless the body names one, and the tag `source:<host>`.',
  'X-Time-Zone': "IANA zone in which time phrases are read, such as Europe/Berlin; the server's otherwise.",
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
  /** For a body that is read as a stream: its content types. */
  streamedBody?: readonly string[];
  headers?: readonly RequestHeader[];
  example?: { path?: string; body?: unknown };
  answers: Readonly<Record<number, AnswerShape>>;
  handle(call: RouteCall): Promise<Answer>;
}
