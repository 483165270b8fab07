import type { JsonObject } from '../../model/json.ts';
import { splitTags } from '../../model/tags.ts';
import { flag, label, text } from '../../verbs/field.ts';
import { defineServiceTool, failedAnswer, linesAnswer, type Tool } from './define-service-tool.ts';
import { projectToStoreIn } from './service-arguments.ts';
import { quoteText } from './service-memory.ts';
import type { ServiceSettings } from './service-settings.ts';
import { storeInService } from './store-in-service.ts';
import { readTurns, storeSession } from './store-session.ts';
import { isTagsInput } from './writing-arguments.ts';

interface StoreArguments {
  content: string;
  conversation_id?: string;
  agent_id?: string;
  metadata?: JsonObject;
  restore_deleted?: boolean;
  store?: string;
  client_hostname?: string;
  tags?: string[];
  memory_type?: string;
}

interface SessionArguments extends Pick<StoreArguments, 'agent_id' | 'metadata' | 'tags' | 'store'> {
  turns: unknown;
  session_id?: string;
}

const TURNS_SHAPE = {
  type: 'array',
  description: 'In order',
  minItems: 1,
  items: {
    type: 'object',
    properties: { role: { type: 'string' }, content: { type: 'string' } },
    required: ['role', 'content'],
  },
};

export function createStoringTools(settings: ServiceSettings): Tool[] {
  const memoryStore = defineServiceTool<StoreArguments>({
    name: 'memory_store',
    title: 'Store Memory',
    text: 'Store a memory. The same text, and a near copy of something recent, are refused; conversation_id allows near copies. metadata.tags and metadata.type label it.',
    action: 'write',
    listed: {
      content: text(undefined, { min: 1, isVerbatim: true, isRequired: true }),
      conversation_id: label(),
      metadata: { type: 'json', about: 'tags, type, and anything else' },
      agent_id: label(),
      restore_deleted: flag('Bring a deleted memory with this text back'),
      store: label(),
    },
    unlisted: { client_hostname: label(), tags: { type: 'tags' }, memory_type: label() },
    output: { message: 'string', content_hash: 'string' },
    async run(context, args) {
      const { tags: inner, type: innerType, ...metadata } = args.metadata ?? {};
      const type = args.memory_type ?? (typeof innerType === 'string' && innerType !== '' ? innerType : undefined);
      const stored = await storeInService(context, settings, {
        content: args.content,
        tags: [...(args.tags ?? []), ...splitTags(isTagsInput(inner) ? inner : null)],
        metadata,
        type,
        conversation: args.conversation_id,
        agent: args.agent_id,
        host: args.client_hostname,
        restoreDeleted: args.restore_deleted === true,
        project: projectToStoreIn(args.store),
      });
      if (stored.outcome === 'refused')
        return failedAnswer(`Error storing memory: ${stored.reason}`, { content_hash: stored.memory?.contentHash });
      const { memory, chunks, warnings } = stored;
      const facts = {
        content_hash: memory.contentHash,
        memory_type: memory.type,
        tags: memory.tags,
        notices: warnings,
      };
      if (stored.restored === true)
        return linesAnswer([`Memory restored successfully (hash: ${memory.contentHash})`], facts);
      if (chunks.length <= 1) return linesAnswer([`Memory stored successfully (hash: ${memory.contentHash})`], facts);
      const hashes = chunks.map(({ contentHash }) => contentHash);
      const original = String(chunks[0]?.metadata.original_hash ?? memory.contentHash);
      return linesAnswer([`Successfully stored ${chunks.length} memory chunks (original hash: ${original})`], {
        ...facts,
        chunks: hashes,
      });
    },
  });

  const memoryStoreSession = defineServiceTool<SessionArguments>({
    name: 'memory_store_session',
    title: 'Store Session',
    text: 'Store a conversation, turn by turn, as one memory or as parts of whole turns.',
    action: 'write',
    listed: {
      turns: { type: 'any', isRequired: true },
      session_id: label('Made where absent'),
      tags: { type: 'tags' },
      metadata: { type: 'json' },
      store: label(),
      agent_id: label(),
    },
    shapes: { turns: TURNS_SHAPE },
    output: { message: 'string', session_id: 'string', turns: 'number' },
    async run(context, { turns, session_id: sessionId, tags, metadata, agent_id: agent, store }) {
      const done = await storeSession(context, settings, {
        turns: readTurns(turns),
        sessionId,
        tags,
        metadata,
        agent,
        project: projectToStoreIn(store),
      });
      const { memories, parts } = done;
      const hashes = memories.map(({ contentHash }) => contentHash);
      const facts = { session_id: done.sessionId, content_hash: hashes[0], chunks: hashes, turns: done.turns };
      const id = quoteText(done.sessionId);
      if (done.refusal !== null)
        return failedAnswer(
          `Error storing session: ${done.refusal} (session_id: ${id}, chunks stored: ${memories.length}/${parts})`,
          facts,
        );
      if (parts === 1)
        return linesAnswer(
          [`Session stored successfully (session_id: ${id}, hash: ${hashes[0]}, turns: ${done.turns})`],
          facts,
        );
      return linesAnswer(
        [`Session stored successfully (session_id: ${id}, chunks: ${memories.length}/${parts}, turns: ${done.turns})`],
        facts,
      );
    },
  });
  return [memoryStore, memoryStoreSession];
}
