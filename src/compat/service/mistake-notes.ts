import type { Memory } from '../../features/memories/memory.ts';
import { EngineError } from '../../model/errors.ts';
import { integer, label, text } from '../../verbs/field.ts';
import type { VerbContext } from '../../verbs/verb.ts';
import { defineServiceTool, documentAnswer, type Tool } from './define-service-tool.ts';
import { searchInService } from './search-in-service.ts';
import { toSeconds, toServiceMemory } from './service-memory.ts';
import type { ServiceSettings } from './service-settings.ts';

const TYPE = 'mistake';
const TAGS = ['mistake-note', 'error-replay'];
/** How many of the nearest notes are looked at before a new one is made. */
const COMPARED = 3;

const MISTAKE_PARTS = {
  error_pattern: 'Error pattern',
  context_signature: 'Context',
  incorrect_action: 'Incorrect action',
  correct_action: 'Correct action',
} as const;

export type Mistake = Record<keyof typeof MISTAKE_PARTS, string>;

interface NotedMistake {
  status: 'created' | 'updated';
  memory: Memory;
  failureCount: number;
}

/** A mistake that was noted before is counted, not noted again. */
export async function noteMistake(
  context: VerbContext,
  settings: ServiceSettings,
  mistake: Mistake,
): Promise<NotedMistake> {
  const { engine, caller } = context;
  const input = {
    content: writeMistake(mistake),
    type: TYPE,
    tags: TAGS,
    metadata: { ...mistake, failure_count: 1 },
  };
  const same = await findSame(context, mistake);
  if (same !== null) return countAgain(context, same);
  const near = await engine.storeMemory(caller, { ...input, onDuplicate: 'refuse' });
  if (near.outcome !== 'refused') return { status: 'created', memory: near.memory, failureCount: 1 };
  const alike = near.resembles.filter(({ similarity }) => similarity >= settings.mistakeThreshold);
  const { memories } = await engine.getMemories(caller, { refs: alike.map(({ id }) => id) });
  const noted = memories.find(({ type }) => type === TYPE);
  if (noted !== undefined) return countAgain(context, noted);
  const stored = await engine.storeMemory(caller, { ...input, onDuplicate: 'report' });
  if (stored.outcome === 'refused' || stored.outcome === 'duplicate')
    throw new EngineError('duplicate', 'Another memory has this text already.');
  return { status: 'created', memory: stored.memory, failureCount: 1 };
}

async function countAgain({ engine, caller }: VerbContext, memory: Memory): Promise<NotedMistake> {
  const failureCount = countOf(memory) + 1;
  const updated = await engine.updateMemory(caller, {
    ref: memory.id,
    metadata: { failure_count: failureCount },
    preserveTimestamps: false,
  });
  return { status: 'updated', memory: updated.memory, failureCount };
}

/** The same pattern in the same context, whatever was done about it. */
async function findSame(context: VerbContext, mistake: Mistake): Promise<Memory | null> {
  const { found } = await searchInService(context, { query: mistake.error_pattern, types: [TYPE], limit: COMPARED });
  const fold = (value: unknown): string =>
    String(value ?? '')
      .trim()
      .toLowerCase();
  const same = found.find(
    ({ memory: { metadata } }) =>
      fold(metadata.error_pattern) === fold(mistake.error_pattern) &&
      fold(metadata.context_signature) === fold(mistake.context_signature),
  );
  return same?.memory ?? null;
}

function writeMistake(mistake: Mistake): string {
  return Object.entries(MISTAKE_PARTS)
    .map(([part, name]) => `${name}: ${mistake[part as keyof Mistake].trim()}`)
    .join('\n');
}

function countOf({ metadata }: Memory): number {
  return typeof metadata.failure_count === 'number' ? metadata.failure_count : 1;
}

async function readNote({ engine, caller }: VerbContext, hash: string): Promise<Memory> {
  const { memories } = await engine.getMemories(caller, { refs: [hash] });
  const [memory] = memories;
  if (memory === undefined || memory.type !== TYPE)
    throw new EngineError('not_found', `There is no mistake note ${hash.slice(0, 100)}.`, {
      hint: 'mistake_note_search finds notes.',
    });
  return memory;
}

const part = (isRequired: boolean) => text(undefined, { min: 1, max: 10_000, isRequired });
const hashArgument = label(undefined, { isRequired: true });

export function createMistakeTools(settings: ServiceSettings): Tool[] {
  const add = defineServiceTool<Mistake>({
    name: 'mistake_note_add',
    title: 'Note a mistake',
    text: 'Note what went wrong and what is right. The same mistake again is counted.',
    action: 'write',
    listed: {
      error_pattern: part(true),
      context_signature: part(true),
      incorrect_action: part(true),
      correct_action: part(true),
    },
    output: { status: 'string', content_hash: 'string', failure_count: 'number', message: 'string' },
    async run(context, mistake) {
      const { status, memory, failureCount } = await noteMistake(context, settings, mistake);
      const message =
        status === 'created' ? 'Mistake note created' : `Mistake note updated: seen ${failureCount} times`;
      return documentAnswer({ status, content_hash: memory.contentHash, failure_count: failureCount, message });
    },
  });

  const find = defineServiceTool<{ query: string; limit?: number }>({
    name: 'mistake_note_search',
    title: 'Search mistake notes',
    text: 'Find notes of earlier mistakes before repeating one.',
    action: 'read',
    listed: { query: text(undefined, { min: 1, max: 10_000, isRequired: true }), limit: integer(1, 100) },
    defaults: { limit: 5 },
    output: { notes: ['object'], count: 'number' },
    async run(context, { query, limit = 5 }) {
      const { found } = await searchInService(context, { query, types: [TYPE], limit });
      const memories = found.map(({ memory }) => memory);
      const notes = found.map(({ memory, hit }) => {
        const { content, content_hash, metadata, trust, source } = toServiceMemory(memory, context);
        const updated_at = toSeconds(memory.updatedAt);
        const similarity = Math.round(hit.confidence * 10_000) / 10_000;
        return {
          content_hash,
          content,
          similarity,
          failure_count: countOf(memory),
          metadata,
          updated_at,
          trust,
          source,
        };
      });
      return documentAnswer({ notes, count: notes.length }, { memories });
    },
  });

  const update = defineServiceTool<Partial<Mistake> & { content_hash: string; failure_count?: number }>({
    name: 'mistake_note_update',
    title: 'Update a mistake note',
    text: 'Change a note of a mistake, or how often it was made.',
    action: 'write',
    idempotent: true,
    listed: {
      content_hash: hashArgument,
      failure_count: integer(0, 1_000_000),
      error_pattern: part(false),
      context_signature: part(false),
      incorrect_action: part(false),
      correct_action: part(false),
    },
    output: { status: 'string', content_hash: 'string' },
    async run(context, { content_hash: hash, failure_count: count, ...changes }) {
      const memory = await readNote(context, hash);
      const parts = Object.keys(MISTAKE_PARTS) as (keyof Mistake)[];
      const mistake = Object.fromEntries(
        parts.map((name) => [name, changes[name] ?? String(memory.metadata[name] ?? '')]),
      ) as Mistake;
      const isRewritten = parts.some((name) => changes[name] !== undefined);
      const { memory: updated } = await context.engine.updateMemory(context.caller, {
        ref: memory.id,
        ...(isRewritten && { content: writeMistake(mistake) }),
        metadata: { ...(isRewritten && mistake), ...(count !== undefined && { failure_count: count }) },
      });
      return documentAnswer({ status: 'updated', content_hash: updated.contentHash });
    },
  });

  const remove = defineServiceTool<{ content_hash: string }>({
    name: 'mistake_note_delete',
    title: 'Delete a mistake note',
    text: 'Delete a note of a mistake; it can be restored.',
    action: 'write',
    destructive: true,
    idempotent: true,
    listed: { content_hash: hashArgument },
    output: { status: 'string', content_hash: 'string' },
    async run(context, { content_hash: hash }) {
      const memory = await readNote(context, hash);
      await context.engine.deleteMemories(context.caller, { refs: [memory.id] });
      return documentAnswer({ status: 'deleted', content_hash: memory.contentHash });
    },
  });
  return [add, find, update, remove];
}
