import type { Action } from '../../../engine/authorize.ts';
import { readArguments } from '../../../mcp/read-arguments.ts';
import { EngineError } from '../../../model/errors.ts';
import { RequestProblem } from '../../../rest/error-response.ts';
import type { RestPorts } from '../../../rest/rest-env.ts';
import type { Fields } from '../../../verbs/field.ts';
import { pickFields } from '../../../verbs/field-schema.ts';
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
  tickets: { issue(authorization: string): string };
  backups: BackupPorts | null;
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
  /** As the route's fields leave them; what it does not know is passed over, as the service does. */
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
}

export interface ServiceRoute {
  /** As the service has it, below its root. */
  at: `${Method} /${string}`;
  /** null: anybody may ask. */
  needs: Action | null;
  /** Where not all that needs more than to read. */
  writes?: boolean;
  query?: Fields;
  body?: Fields;
  /** The body is read by the handler. */
  isRaw?: true;
  handle(call: ServiceCall): Promise<object>;
}

/** The fields that a route knows, read as forgivingly as tools read theirs; a wrong one is 422. */
export function readFields(
  fields: Fields | undefined,
  given: Readonly<Record<string, unknown>>,
  place: 'body' | 'query',
): Record<string, unknown> {
  if (fields === undefined) return {};
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(fields, name)));
  try {
    return readArguments(
      pickFields(fields, () => true),
      known,
    );
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

export function problem(status: 400 | 404 | 409 | 501, message: string): RequestProblem {
  return new RequestProblem(status === 404 ? 'not_found' : 'invalid_input', message, { status });
}
