import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { Log } from '../engine/ports.ts';
import { describeHealth } from '../features/maintenance/verbs/check-health.ts';
import type { ListMemoriesInput } from '../features/memories/name-as-memories.ts';
import { describeSearchResult } from '../features/memories/verbs/describe-search-result.ts';
import { EngineError } from '../model/errors.ts';
import { escapeHiddenInJson } from '../model/hidden-characters.ts';
import { describeMemory, unlessEmpty } from '../verbs/describe-memory.ts';
import { noticesOfTrust, type Reader } from '../verbs/describe-origin.ts';
import type { Opened } from './access.ts';
import { cleanJson, exposeJson } from './clean-text.ts';
import { toEngineError } from './error-result.ts';

const MIME = 'application/json';
const MOST_RECENT = 100;
const LISTED_CHARS = 500;

export const RESOURCES = [
  { uri: 'memory://stats', name: 'stats', title: 'Health and size', mimeType: MIME },
  { uri: 'memory://tags', name: 'tags', title: 'Tags and how often each is used', mimeType: MIME },
  { uri: 'memory://types', name: 'types', title: 'Types and how often each is used', mimeType: MIME },
  { uri: 'memory://recent/10', name: 'recent', title: 'The ten newest memories', mimeType: MIME },
];

export const RESOURCE_TEMPLATES = [
  { uriTemplate: 'memory://recent/{n}', name: 'recent-n', title: 'The newest memories', mimeType: MIME },
  { uriTemplate: 'memory://tag/{tag}', name: 'tag', title: 'Memories with a tag', mimeType: MIME },
  { uriTemplate: 'memory://record/{id}', name: 'record', title: 'One memory, whole', mimeType: MIME },
  { uriTemplate: 'memory://search/{query}', name: 'search', title: 'What a search finds', mimeType: MIME },
];

export async function readResource(uri: string, open: () => Promise<Opened>, log: Log): Promise<ReadResourceResult> {
  const read = parseUri(uri);
  if (read === null) throw new ResourceNotFoundError(uri);
  try {
    const opened = await open();
    authorize(opened.caller, 'read', opened.caller.space);
    const value = await read(opened, { caller: opened.caller, now: Date.now() });
    return { contents: [{ uri, mimeType: MIME, text: escapeHiddenInJson(JSON.stringify(value)) }] };
  } catch (error) {
    throw toProtocolError(toEngineError(error, log), uri);
  }
}

type Read = (opened: Opened, reader: Reader) => Promise<unknown>;

function parseUri(uri: string): Read | null {
  const match = /^memory:\/\/([a-z]+)(?:\/(.+))?$/.exec(uri);
  const argument = decode(match?.[2]);
  if (match === null || argument === null) return null;
  if (argument === undefined) return WHOLE.get(match[1]!) ?? null;
  return NAMED.get(match[1]!)?.(argument) ?? null;
}

const WHOLE: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['stats', async ({ engine, caller }) => describeHealth(await engine.checkHealth(caller))],
  ['tags', async ({ engine, caller }) => cleanJson({ tags: await engine.countLabels(caller, 'tag') })],
  ['types', async ({ engine, caller }) => cleanJson({ types: await engine.countLabels(caller, 'type') })],
]);

const NAMED: ReadonlyMap<string, (argument: string) => Read | null> = new Map([
  ['recent', readRecent],
  ['tag', readTag],
  ['search', readSearch],
  ['record', readRecord],
]);

function readRecent(text: string): Read | null {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MOST_RECENT ? (opened, reader) => list(opened, reader, { page: { limit } }) : null;
}

function readTag(tag: string): Read {
  return (opened, reader) => list(opened, reader, { page: { limit: MOST_RECENT }, filter: { tags: [tag] } });
}

function readSearch(query: string): Read {
  return async ({ engine, caller }, reader) =>
    cleanJson(describeSearchResult(await engine.search(caller, { query }), reader));
}

function readRecord(id: string): Read {
  return async ({ engine, caller }, reader) => {
    const { memories } = await engine.getMemories(caller, { refs: [id] });
    if (memories[0] === undefined) throw new EngineError('not_found', `There is no memory ${id.slice(0, 100)}.`);
    return exposeJson({ ...describeMemory(memories[0], reader), notices: unlessEmpty(noticesOfTrust(memories)) });
  };
}

async function list({ engine, caller }: Opened, reader: Reader, wanted: ListMemoriesInput): Promise<unknown> {
  const { total, items } = await engine.listMemories(caller, wanted);
  const memories = items.map((memory) => describeMemory(memory, reader, LISTED_CHARS));
  return cleanJson({ total, memories, notices: unlessEmpty(noticesOfTrust(items)) });
}

function decode(text: string | undefined): string | undefined | null {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return null; // not a URI: answered as "not found"
  }
}

export function toProtocolError(error: EngineError, uri: string): ProtocolError {
  if (error.code === 'not_found') return new ResourceNotFoundError(uri);
  const code = error.code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, `${error.code}: ${error.message}`, { code: error.code, hint: error.hint ?? null });
}
