import { Duplex } from 'node:stream';
import type { ReadableWritablePair } from 'node:stream/web';
import * as zlib from 'node:zlib';
import { EngineError, type ErrorCode } from '../model/errors.ts';
import { readLines } from '../model/read-lines.ts';
import { fromWire } from '../model/wire.ts';
import { type ClientOf, createClient } from '../verbs/client.ts';
import { writeInput } from '../verbs/read-input.ts';
import { type AnyVerb, fieldsOf, type RestOffer, splitAt, type VerbTable } from '../verbs/verb.ts';
import { readProblem } from './read-problem.ts';
import type { ServerClient } from './server-client.ts';

const API_PATH = '/api/v1';
const JSON_LINES = 'application/x-ndjson';
/** Earlier releases of Node ask for nothing that they cannot read, and cannot read this. */
const READS_ZSTD = Number(process.versions.node.split('.')[0]) >= 24;
/** Everything may take its time: there is more of it than one request can say. */
const LONG_MS = 3_600_000;

export interface RemoteOptions {
  /** In this team's space instead of one's own. */
  team?: string;
  timeZone?: string;
}

/** The verbs of a table, carried out by a server. Same inputs, same outcomes, same errors as near. */
export function createRemoteClient<Table extends VerbTable>(
  table: Table,
  server: Pick<ServerClient, 'host' | 'fetch'>,
  options: RemoteOptions = {},
): ClientOf<Table> {
  const target: Target = { server, options, takesZstd: false };
  return createClient(table, (verb, input) => callServer(verb, input, target));
}

interface Target {
  server: Pick<ServerClient, 'host' | 'fetch'>;
  options: RemoteOptions;
  /** It has said that it takes compressed lines; servers before that do not, and none is asked. */
  takesZstd: boolean;
}

async function callServer(verb: AnyVerb, input: object, target: Target): Promise<unknown> {
  const { server } = target;
  const { rest } = verb;
  if (rest === undefined) throw new EngineError('invalid_input', 'A server cannot be asked for this.');
  const response = await server.fetch(...toRequest(verb, rest, input, target));
  target.takesZstd ||= READS_ZSTD && response.headers.get('Accept-Encoding') === 'zstd';
  if (!response.ok) return readFailure(response, rest, server.host);
  if (rest.streams === 'out') return readLines(response.body);
  if (response.status === 204) return undefined;
  const out = fromWire(await readJson(response, server.host));
  return rest.isPaged === true ? withoutAddress(out) : out;
}

/** REST says of a page where the next one is, for whoever follows addresses: the verb itself says no more than its cursor. */
function withoutAddress(page: unknown): unknown {
  const { next: _, ...out } = page as Record<string, unknown>;
  return out;
}

function toRequest(
  verb: AnyVerb,
  rest: RestOffer<unknown>,
  input: object,
  { options, takesZstd }: Target,
): [path: string, init: RequestInit] {
  const values = writeInput(fieldsOf(verb), input as Readonly<Record<string, unknown>>);
  const headers: Record<string, string> = {};
  if (options.timeZone !== undefined) headers['X-Time-Zone'] = options.timeZone;
  for (const [name, { header }] of Object.entries(verb.inHeaders ?? {})) {
    if (header !== undefined && values[name] !== undefined)
      headers[header] = header === 'If-Match' ? `"${values[name]}"` : String(values[name]);
    delete values[name];
  }
  const { method, path: pattern } = splitAt(rest);
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const segment = pathSegment(String(values[name]));
    delete values[name];
    return segment;
  });
  const query = new URLSearchParams(options.team === undefined ? {} : { team: options.team });
  const init: RequestInit & { duplex?: 'half' } = { method, headers };
  if (rest.streams !== undefined) init.signal = AbortSignal.timeout(LONG_MS);
  if (rest.streams === 'out' && READS_ZSTD) headers['Accept-Encoding'] = 'zstd';
  if (rest.streams === 'in') {
    headers['Content-Type'] = JSON_LINES;
    const { lines } = input as { lines: AsyncIterable<string> };
    const plain = ReadableStream.from(encodeLines(lines));
    if (takesZstd) headers['Content-Encoding'] = 'zstd';
    Object.assign(init, { body: takesZstd ? plain.pipeThrough(zstd()) : plain, duplex: 'half' });
  }
  if (rest.streams === 'file') {
    const { bytes, mediaType = 'application/octet-stream' } = input as {
      bytes: Uint8Array<ArrayBuffer>;
      mediaType?: string;
    };
    headers['Content-Type'] = mediaType;
    init.body = bytes;
  }
  if (method === 'GET' || method === 'DELETE' || rest.streams === 'in' || rest.streams === 'file')
    addToQuery(query, values);
  else if (Object.keys(verb.input).some((name) => !pattern.includes(`{${name}}`))) {
    headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(values);
  }
  return [`${API_PATH}${path}${query.size === 0 ? '' : `?${query}`}`, init];
}

/** Encoded, so that a name with a slash stays a name; URLs take `.` and `..` for steps up however they are encoded. */
export function pathSegment(name: string): string {
  if (/^\.{0,2}$/.test(name))
    throw new EngineError('invalid_input', `"${name}" is neither an id nor a name.`, { details: { field: 'ref' } });
  return encodeURIComponent(name);
}

function addToQuery(query: URLSearchParams, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values))
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item));
}

/** Asked for by name only here: not every runtime that loads this has it. */
function zstd(): ReadableWritablePair<Uint8Array, Uint8Array> {
  return Duplex.toWeb(zlib.createZstdCompress()) as unknown as ReadableWritablePair<Uint8Array, Uint8Array>;
}

async function* encodeLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(`${line}\n`);
}

async function readFailure(response: Response, rest: RestOffer<unknown>, host: string): Promise<unknown> {
  const problem = await readProblem(response, host);
  const outcome = rest.problem?.toOutcome(problem) ?? null;
  if (outcome !== null) return outcome;
  const { code, detail, hint, type: _, title: __, status: ___, request_id: ____, ...details } = problem;
  throw new EngineError(code as ErrorCode, String(detail), {
    ...(typeof hint === 'string' && { hint }),
    details: Object.fromEntries(Object.entries(details).filter(([, value]) => isFact(value))) as EngineError['details'],
  });
}

function isFact(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

async function readJson(response: Response, host: string): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw new EngineError('internal', `${host} gave an answer that is not of an ltm server.`, {
      cause,
      hint: '`ltm config get server` shows its address: is it the right one?',
    });
  }
}
