import type { Memory, OnDuplicate, StoredOutcome, StoreMemoryInput } from '../../features/memories/memory.ts';
import { UNRESOLVED_TAG } from '../../features/truth/conflict.ts';
import type { Caller } from '../../model/caller.ts';
import { DEFAULT_TAG } from '../../model/memory.ts';
import { hashContent } from '../../model/record.ts';
import type { VerbContext } from '../../verbs/verb.ts';
import { FOUND_KINDS } from './search-in-service.ts';
import type { ServiceSettings } from './service-settings.ts';

const HOUR = 3_600_000;
const SAME_TEXT = 'Duplicate content detected (exact match)';

export type StoredInService =
  | { outcome: 'stored'; memory: Memory; chunks: readonly Memory[]; warnings: string[]; restored?: true }
  /** In the service's words; `memory` is the one that is there. */
  | { outcome: 'refused'; reason: string; memory: Memory | null };

export interface ServiceStore extends Omit<StoreMemoryInput, 'onDuplicate'> {
  restoreDeleted?: boolean;
}

/** As the service stores: the same text is always refused, and a near copy of something recent, each with the name of the other. A conversation skips the second check. */
export async function storeInService(
  context: VerbContext,
  settings: ServiceSettings,
  { restoreDeleted, ...input }: ServiceStore,
): Promise<StoredInService> {
  if (restoreDeleted === true) {
    const restored = await restoreSameText(context, input.content);
    if (restored !== null) return { outcome: 'stored', memory: restored, chunks: [], warnings: [], restored: true };
  }
  const { engine } = context;
  const { caller, input: named } = nameMachine(context, settings, input);
  const first = await engine.storeMemory(caller, { ...named, onDuplicate: policyOf(settings) });
  const refused = await explainRefusal(context, settings, { input, out: first });
  if (refused === null) return markConflicts(context, toStored(first));
  if (refused !== 'too_old') return refused;
  return markConflicts(context, toStored(await engine.storeMemory(caller, { ...named, onDuplicate: 'report' })));
}

/** Both ends of a contradiction bear a tag, by which whoever looks for them finds them, until somebody decides. */
async function markConflicts({ engine, caller }: VerbContext, stored: StoredInService): Promise<StoredInService> {
  if (stored.outcome === 'refused' || stored.memory.type === 'session' || stored.chunks.length > 1) return stored;
  const conflicts = await engine.findConflictsNearby(caller, stored.memory.id);
  if (conflicts.length === 0) return stored;
  const ends = new Map(conflicts.flatMap(({ newer, older }) => [newer, older]).map((end) => [end.id, end]));
  let { memory } = stored;
  for (const { id, kind, tags } of ends.values()) {
    if (kind !== 'memory' || tags.includes(UNRESOLVED_TAG)) continue;
    const kept = tags.filter((tag) => tag !== DEFAULT_TAG);
    const marked = await engine.updateMemory(caller, { ref: id, tags: [...kept, UNRESOLVED_TAG] });
    if (id === memory.id) ({ memory } = marked);
  }
  const said = `${conflicts.length} conflict(s) detected: memory_conflicts lists them.`;
  return { ...stored, memory, warnings: [...stored.warnings, said] };
}

/** The machine stands in tags and metadata only where the operator wants it; what was recorded of it for purges is another matter, and stays. */
function nameMachine(
  { caller }: VerbContext,
  { hostname }: ServiceSettings,
  input: ServiceStore,
): { caller: Caller; input: ServiceStore } {
  const { host: sent, ...unnamed } = caller;
  const said = input.host ?? sent;
  if (hostname === null) return { caller: unnamed, input: { ...input, host: said } };
  const host = said ?? hostname;
  return { caller: { ...caller, host }, input: { ...input, host, metadata: { ...input.metadata, hostname: host } } };
}

/** Whoever wants near copies stored does not want two memories under one hash: `store` would make them. */
function policyOf({ onDuplicate }: ServiceSettings): OnDuplicate {
  return onDuplicate === 'store' ? 'report' : (onDuplicate ?? 'refuse');
}

function toStored(out: StoredOutcome): StoredInService {
  if (out.outcome === 'refused') return { outcome: 'refused', reason: SAME_TEXT, memory: null };
  if (out.outcome === 'duplicate') return { outcome: 'refused', reason: SAME_TEXT, memory: out.memory };
  const chunks = out.outcome === 'stored' ? out.chunks : [];
  return { outcome: 'stored', memory: out.memory, chunks, warnings: out.warnings };
}

/** null: it was stored. */
async function explainRefusal(
  { engine, caller, now }: VerbContext,
  settings: ServiceSettings,
  { input, out }: { input: ServiceStore; out: StoredOutcome },
): Promise<StoredInService | 'too_old' | null> {
  if (out.outcome === 'duplicate') return { outcome: 'refused', reason: SAME_TEXT, memory: out.memory };
  if (out.outcome !== 'refused') return null;
  const { memories } = await engine.getMemories(caller, { refs: out.resembles.map(({ id }) => id) });
  const same = memories.find(({ contentHash }) => contentHash === hashContent(input.content));
  if (same !== undefined) return { outcome: 'refused', reason: SAME_TEXT, memory: same };
  const hours = settings.duplicateWindowHours;
  const recent = memories.find(({ createdAt }) => hours === 0 || createdAt >= now - hours * HOUR);
  if (recent === undefined && settings.onDuplicate === null) return 'too_old';
  const memory = recent ?? memories[0] ?? null;
  const reason = `Duplicate content detected (semantically similar to ${memory?.contentHash ?? 'another memory'})`;
  return { outcome: 'refused', reason, memory };
}

async function restoreSameText({ engine, caller }: VerbContext, content: string): Promise<Memory | null> {
  const contentHash = hashContent(content);
  if ((await engine.getMemories(caller, { refs: [contentHash] })).memories.length > 0) return null;
  const { items } = await engine.listMemories(caller, {
    filter: { contentHash, kinds: FOUND_KINDS, deleted: 'only', includeSuperseded: true },
    page: { limit: 1 },
  });
  const [deleted] = items;
  if (deleted === undefined) return null;
  return (await engine.restoreMemories(caller, [deleted.id])).restored[0] ?? null;
}
