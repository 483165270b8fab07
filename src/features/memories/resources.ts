import type { Opened } from '../../mcp/access.ts';
import { cleanJson, exposeJson } from '../../mcp/clean-text.ts';
import { RESOURCE_TYPE, type ReadResource, type Resources } from '../../mcp/resource.ts';
import { EngineError } from '../../model/errors.ts';
import { describeHealth } from '../../verbs/describe-health.ts';
import { describeMemory, unlessEmpty } from '../../verbs/describe-memory.ts';
import { noticesOfTrust, type Reader } from '../../verbs/describe-origin.ts';
import type { ListMemoriesInput } from './name-as-memories.ts';
import { describeSearchResult } from './verbs/describe-search-result.ts';

const MOST_RECENT = 100;
const LISTED_CHARS = 500;

const LISTED = [
  { uri: 'memory://stats', name: 'stats', title: 'Health and size', mimeType: RESOURCE_TYPE },
  { uri: 'memory://tags', name: 'tags', title: 'Tags and how often each is used', mimeType: RESOURCE_TYPE },
  { uri: 'memory://types', name: 'types', title: 'Types and how often each is used', mimeType: RESOURCE_TYPE },
  { uri: 'memory://recent/10', name: 'recent', title: 'The ten newest memories', mimeType: RESOURCE_TYPE },
];

const TEMPLATES = [
  { uriTemplate: 'memory://recent/{n}', name: 'recent-n', title: 'The newest memories', mimeType: RESOURCE_TYPE },
  { uriTemplate: 'memory://tag/{tag}', name: 'tag', title: 'Memories with a tag', mimeType: RESOURCE_TYPE },
  { uriTemplate: 'memory://record/{id}', name: 'record', title: 'One memory, whole', mimeType: RESOURCE_TYPE },
  { uriTemplate: 'memory://search/{query}', name: 'search', title: 'What a search finds', mimeType: RESOURCE_TYPE },
];

function findResource(uri: string): ReadResource | null {
  const match = /^memory:\/\/([a-z]+)(?:\/(.+))?$/.exec(uri);
  const argument = decode(match?.[2]);
  if (match === null || argument === null) return null;
  if (argument === undefined) return WHOLE.get(match[1]!) ?? null;
  return NAMED.get(match[1]!)?.(argument) ?? null;
}

const WHOLE: ReadonlyMap<string, ReadResource> = new Map<string, ReadResource>([
  ['stats', async ({ engine, caller }) => describeHealth(await engine.checkHealth(caller))],
  ['tags', async ({ engine, caller }) => cleanJson({ tags: await engine.countLabels(caller, 'tag') })],
  ['types', async ({ engine, caller }) => cleanJson({ types: await engine.countLabels(caller, 'type') })],
]);

const NAMED: ReadonlyMap<string, (argument: string) => ReadResource | null> = new Map([
  ['recent', readRecent],
  ['tag', readTag],
  ['search', readSearch],
  ['record', readRecord],
]);

function readRecent(text: string): ReadResource | null {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MOST_RECENT ? (opened, reader) => list(opened, reader, { page: { limit } }) : null;
}

function readTag(tag: string): ReadResource {
  return (opened, reader) => list(opened, reader, { page: { limit: MOST_RECENT }, filter: { tags: [tag] } });
}

function readSearch(query: string): ReadResource {
  return async ({ engine, caller }, reader) =>
    cleanJson(describeSearchResult(await engine.search(caller, { query }), reader));
}

function readRecord(id: string): ReadResource {
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

export const MEMORY_RESOURCES: Resources = { listed: LISTED, templates: TEMPLATES, find: findResource };
