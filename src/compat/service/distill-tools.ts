import type { Memory } from '../../features/memories/memory.ts';
import { EngineError } from '../../model/errors.ts';
import { flag, integer, label } from '../../verbs/field.ts';
import { defineServiceTool, documentAnswer, type Tool, type ToolContext } from './define-service-tool.ts';
import { toServiceMemory } from './service-memory.ts';
import type { ServiceSettings } from './service-settings.ts';
import { storeInService } from './store-in-service.ts';

const RAW_TYPES = ['session', 'conversation', 'conversation_turn'];
const MIN_CONFIDENCE = 0.6;

interface DistillArguments {
  batch_size?: number;
  dry_run?: boolean;
  memory_types?: string[];
}

export function createDistillTools(settings: ServiceSettings): Tool[] {
  const distill = defineServiceTool<DistillArguments>({
    name: 'memory_distill',
    title: 'Distill memories',
    text: 'Find decisions, bugs, conventions and learnings in stored conversations. Stores nothing unless dry_run is false.',
    action: 'write',
    idempotent: true,
    listed: { batch_size: integer(1, 1000), dry_run: flag(), memory_types: { type: 'refs', max: 100 } },
    defaults: { batch_size: 20, dry_run: true },
    output: { dry_run: 'boolean', candidates_found: 'number', candidates: ['object'] },
    async run(context, { batch_size: limit = 20, dry_run: isDry = true, memory_types: types = RAW_TYPES }) {
      const { engine, caller } = context;
      const { items } = await engine.listMemories(caller, { page: { limit }, filter: { types } });
      const found = await findIn(items);
      let stored = 0;
      for (const { memory, statement } of isDry ? [] : found) {
        const done = await storeInService(context, settings, {
          content: statement.text,
          type: statement.type,
          tags: ['distilled', `distilled:${statement.type}`],
          metadata: { source_hash: memory.contentHash, confidence: statement.confidence },
          // no more than what it was taken from
          ...(memory.trust === 'untrusted' && { trust: 'untrusted' as const }),
        });
        if (done.outcome === 'stored') stored++;
      }
      const candidates = found.map(({ memory, statement }) => ({
        type: statement.type,
        content: statement.text,
        confidence: Math.round(statement.confidence * 100) / 100,
        source_hash: memory.contentHash,
        ...originOf(memory, context),
      }));
      return documentAnswer(
        { dry_run: isDry, candidates_found: found.length, ...(!isDry && { stored }), candidates },
        { memories: found.map(({ memory }) => memory) },
      );
    },
  });
  return [distill, quarantined, unquarantine];
}

function originOf(memory: Memory, context: ToolContext): Record<string, unknown> {
  const { trust, source } = toServiceMemory(memory, context);
  return trust === undefined ? {} : { trust, source };
}

async function findIn(memories: readonly Memory[]) {
  const { findStatements } = await import('../../features/harvest/find-statements.ts');
  const seen = new Set<string>();
  return memories.flatMap((memory) =>
    memory.content.split(/^(?=\[[^\]\n]{1,40}\] )/m).flatMap((turn) => {
      const role = /^\[([^\]\n]{1,40})\] /.exec(turn);
      const by = role?.[1] === 'user' ? ('user' as const) : ('agent' as const);
      return findStatements({ by, text: turn.slice(role?.[0].length ?? 0) })
        .filter(({ text, confidence }) => confidence >= MIN_CONFIDENCE && !seen.has(text) && seen.add(text))
        .map((statement) => ({ memory, statement }));
    }),
  );
}

/** So many memories are looked at for those that came from outside. */
const MOST_READ = 20_000;
const PAGE = 1000;

const quarantined = defineServiceTool<{ limit?: number }>({
  name: 'get_quarantined_memories',
  title: 'Quarantined memories',
  text: 'Memories that came from outside and are not trusted.',
  action: 'read',
  listed: { limit: integer(1, 1000) },
  defaults: { limit: 50 },
  output: { quarantined: ['object'], count: 'number' },
  async run(context, { limit = 50 }) {
    const { engine, caller } = context;
    const found: Memory[] = [];
    let cursor: string | null | undefined;
    for (let read = 0; read < MOST_READ && found.length < limit && cursor !== null; read += PAGE) {
      const page = await engine.listMemories(caller, {
        page: { limit: PAGE, ...(cursor !== undefined && { cursor }) },
      });
      found.push(...page.items.filter(({ trust }) => trust === 'untrusted'));
      cursor = page.cursor;
    }
    const shown = found.slice(0, limit);
    const notices =
      cursor === null || found.length >= limit ? [] : [`The ${MOST_READ} newest memories were looked at.`];
    return documentAnswer(
      { quarantined: shown.map((memory) => toServiceMemory(memory, context)), count: shown.length },
      { memories: shown, notices },
    );
  },
});

const unquarantine = defineServiceTool<{ content_hash: string }>({
  name: 'unquarantine_memory',
  title: 'Trust a memory',
  text: 'Take a memory out of quarantine. Only a person may: an agent is refused and told how a person does it.',
  action: 'write',
  idempotent: true,
  listed: { content_hash: label(undefined, { isRequired: true }) },
  output: { status: 'string', message: 'string' },
  async run({ engine, caller }, { content_hash: hash }) {
    const { memories } = await engine.getMemories(caller, { refs: [hash] });
    const [memory] = memories;
    if (memory === undefined) throw new EngineError('not_found', `Memory with hash ${hash.slice(0, 100)} not found.`);
    if (memory.trust !== 'untrusted')
      return documentAnswer({ status: 'not_quarantined', message: 'This memory is not in quarantine.' });
    await engine.updateMemory(caller, { ref: memory.id, trust: 'agent' });
    return documentAnswer({ status: 'success', message: 'Memory is no longer in quarantine.' });
  },
});
