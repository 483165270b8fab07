import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { authorize } from '../engine/authorize.ts';
import type { ListMemoriesInput } from '../engine/memories/memory-verbs.ts';
import type { Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { describeMemory } from '../verbs/memories/describe-memory.ts';
import { describeSearchResult } from '../verbs/memories/describe-search-result.ts';
import { describeHealth } from '../verbs/state/check-health.ts';
import type { Opened } from './access.ts';
import { cleanJson } from './clean-text.ts';
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
    const value = await read(opened, Date.now());
    return { contents: [{ uri, mimeType: MIME, text: JSON.stringify(cleanJson(value)) }] };
  } catch (error) {
    throw toProtocolError(toEngineError(error, log), uri);
  }
}

type Reader = (opened: Opened, now: number) => Promise<unknown>;

function parseUri(uri: string): Reader | null {
  const match = /^memory:\/\/([a-z]+)(?:\/(.+))?$/.exec(uri);
  const argument = decode(match?.[2]);
  if (match === null || argument === null) return null;
  if (argument === undefined) return WHOLE.get(match[1]!) ?? null;
  return NAMED.get(match[1]!)?.(argument) ?? null;
}

const WHOLE: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['stats', async ({ engine, caller }) => describeHealth(await engine.checkHealth(caller), caller.scopes.has('admin'))],
  ['tags', async ({ engine, caller }) => ({ tags: await engine.countLabels(caller, 'tag') })],
  ['types', async ({ engine, caller }) => ({ types: await engine.countLabels(caller, 'type') })],
]);

const NAMED: ReadonlyMap<string, (argument: string) => Reader | null> = new Map([
  ['recent', readRecent],
  ['tag', readTag],
  ['search', readSearch],
  ['record', readRecord],
]);

function readRecent(text: string): Reader | null {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MOST_RECENT ? (opened, now) => list(opened, now, { page: { limit } }) : null;
}

function readTag(tag: string): Reader {
  return (opened, now) => list(opened, now, { page: { limit: MOST_RECENT }, filter: { tags: [tag] } });
}

function readSearch(query: string): Reader {
  return async ({ engine, caller }, now) => describeSearchResult(await engine.search(caller, { query }), now);
}

function readRecord(id: string): Reader {
  return async ({ engine, caller }, now) => {
    const { memories } = await engine.getMemories(caller, { refs: [id] });
    if (memories[0] === undefined) throw new EngineError('not_found', `There is no memory ${id.slice(0, 100)}.`);
    return describeMemory(memories[0], now);
  };
}

async function list({ engine, caller }: Opened, now: number, wanted: ListMemoriesInput): Promise<unknown> {
  const page = await engine.listMemories(caller, wanted);
  return { total: page.total, memories: page.items.map((memory) => describeMemory(memory, now, LISTED_CHARS)) };
}

function decode(text: string | undefined): string | undefined | null {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return null; // not a URI: answered as "not found"
  }
}

function toProtocolError(error: EngineError, uri: string): ProtocolError {
  if (error.code === 'not_found') return new ResourceNotFoundError(uri);
  const code = error.code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, `${error.code}: ${error.message}`, { code: error.code, hint: error.hint ?? null });
}
