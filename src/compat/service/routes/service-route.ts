import type { Action } from '../../../engine/authorize.ts';
import { readArguments } from '../../../mcp/read-arguments.ts';
import { EngineError, type ErrorCode } from '../../../model/errors.ts';
import { RequestProblem } from '../../../rest/error-response.ts';
import type { RestPorts } from '../../../rest/rest-env.ts';
import type { Fields, ValuesOf } from '../../../verbs/field.ts';
import type { Method, VerbContext } from '../../../verbs/verb.ts';
import type { ServiceSettings } from '../service-settings.ts';
import type { BackupPorts } from './backup-routes.ts';

/** What the routes know besides engine and caller. */
export interface ServicePorts {
  settings: ServiceSettings;
  /** What the stream of events is made of. */
  rest: RestPorts;
  startedAt: number;
  /** The settings as people may see them; secrets are masked. */
  listSettings(): readonly ListedSetting[];
  /** By the name that `ltm config` has for it. */
  saveSetting(name: string, value: string): void;
  /** What `tools/list` says of the tools of the service. */
  listTools(): readonly object[];
  tickets: { issue(authorization: string, userId: string): string };
  backups: BackupPorts;
}

export interface ListedSetting {
  name: string;
  value: unknown;
  source: string;
  from: string;
  description: string;
  env: readonly string[];
}

export interface ServiceCall extends VerbContext {
  ports: ServicePorts;
  settings: ServiceSettings;
  request: Request;
  params: Readonly<Record<string, string>>;
}

/** A call as these fields leave it; what they do not know is passed over, as the service does. */
export type CallWith<Parts extends { query?: Fields; body?: Fields }> = ServiceCall & {
  [Part in keyof Parts]: Parts[Part] extends Fields ? ValuesOf<Parts[Part]> : never;
};

/** What was sent, before anything of it is read. */
interface Sent {
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
}

interface RouteTraits {
  /** As the service has it, below its root. */
  at: `${Method} /${string}`;
  /** null: anybody may ask. */
  needs: Action | null;
  /** Where not all that needs more than to read. */
  writes?: boolean;
  /** The body is read by the handler. */
  isRaw?: true;
}

export interface ServiceRoute extends RouteTraits {
  query?: Fields;
  body?: Fields;
  answer(call: ServiceCall, sent: Sent): Promise<object>;
}

interface RouteDefinition<Query extends Fields, Body extends Fields> extends RouteTraits {
  query?: Query;
  body?: Body;
  handle: (call: CallWith<{ query: Query; body: Body }>) => Promise<object>;
}

/** Ties what a handler gets to the fields by which it was read. */
export function defineRoute<
  const Query extends Fields = Record<never, never>,
  const Body extends Fields = Record<never, never>,
>({ query, body, handle, ...traits }: RouteDefinition<Query, Body>): ServiceRoute {
  return {
    ...traits,
    query,
    body,
    answer: async (call, sent) =>
      handle({
        ...call,
        query: readFields(query ?? NONE, sent.query, 'query'),
        body: readFields(body ?? NONE, sent.body, 'body'),
      } as CallWith<{ query: Query; body: Body }>),
  };
}

const NONE: Fields = {};

/** The fields that a route knows, read as forgivingly as tools read theirs; a wrong one is 422. */
export function readFields<const Given extends Fields>(
  fields: Given,
  given: Readonly<Record<string, unknown>>,
  place: 'body' | 'query',
): ValuesOf<Given> {
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(fields, name)));
  try {
    return readArguments(fields, known) as ValuesOf<Given>;
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'invalid_input') throw error;
    throw invalid(place, String(error.details.field ?? ''), error.message);
  }
}

/** As FastAPI tells it. */
export function invalid(place: string, field: string, message: string): RequestProblem {
  return new RequestProblem('invalid_input', message, {
    status: 422,
    errors: [{ field: `${place}.${field}`, message }],
  });
}

const PROBLEM_CODES: Readonly<Record<number, ErrorCode>> = { 404: 'not_found', 503: 'embedder_failed' };

export function problem(status: 400 | 403 | 404 | 409 | 503, message: string): RequestProblem {
  return new RequestProblem(PROBLEM_CODES[status] ?? 'invalid_input', message, { status });
}
