import type { Conflict } from '../../features/truth/conflict.ts';
import { toIso } from '../../model/instant.ts';
import { describeOrigin, noticesOfTrust } from '../../verbs/describe-origin.ts';
import { label } from '../../verbs/field.ts';
import { defineServiceTool, linesAnswer, type Tool, type ToolContext } from './define-service-tool.ts';
import { quoteText } from './service-memory.ts';

const SHORT_HASH = 12;
const SHOWN_CHARS = 100;
const MOST = 100;

export async function listConflicts({ engine, caller }: ToolContext): Promise<Conflict[]> {
  return (await engine.listConflicts(caller, { limit: MOST })).conflicts;
}

const memoryConflicts = defineServiceTool<object>({
  name: 'memory_conflicts',
  title: 'Memory Conflicts',
  text: 'Pairs of memories that contradict each other and of which none has been chosen yet.',
  action: 'read',
  output: { message: 'string', conflicts: ['object'] },
  async run(context) {
    const conflicts = await listConflicts(context);
    if (conflicts.length === 0) return linesAnswer(['No unresolved conflicts found.'], { conflicts: [], count: 0 });
    const lines = conflicts.flatMap((conflict, at) => showConflict(conflict, at, context));
    const nodes = conflicts.flatMap(({ newer, older }) => [newer, older]);
    return linesAnswer([`Found ${conflicts.length} unresolved conflict(s)`, ...lines], {
      conflicts: conflicts.map((conflict) => describeConflict(conflict, context)),
      count: conflicts.length,
      notices: noticesOfTrust(nodes),
    });
  },
});

function showConflict(
  { newer, older, newerSays, olderSays, confidence, reason }: Conflict,
  at: number,
  context: ToolContext,
): string[] {
  const side = (node: Conflict['newer'], says: string): string[] => {
    const { trust, source } = describeOrigin(node, context);
    return [
      `   ${node.contentHash.slice(0, SHORT_HASH)}: ${quoteText(says.slice(0, SHOWN_CHARS))}`,
      `   Trust: ${trust} (${quoteText(source)})`,
    ];
  };
  return [
    `${at + 1}. confidence ${confidence.toFixed(2)}: ${quoteText(reason)}`,
    ...side(newer, newerSays),
    ...side(older, olderSays),
  ];
}

/** `similarity` is how sure it is: the texts themselves are compared by what they say, not by how alike they are. */
export function describeConflict(conflict: Conflict, context: ToolContext): Record<string, unknown> {
  const { newer, older, newerSays, olderSays, confidence, reason, by } = conflict;
  return {
    hash_a: newer.contentHash,
    hash_b: older.contentHash,
    content_a: newerSays,
    content_b: olderSays,
    similarity: confidence,
    divergence: null,
    reason,
    by,
    detected_at: toIso(newer.createdAt),
    ...marks('a', newer, context),
    ...marks('b', older, context),
  };
}

function marks(side: string, node: Conflict['newer'], context: ToolContext): Record<string, unknown> {
  const { trust, source } = describeOrigin(node, context);
  return { [`trust_${side}`]: trust, [`source_${side}`]: source };
}

const memoryResolve = defineServiceTool<{ winner_hash: string; loser_hash: string }>({
  name: 'memory_resolve',
  title: 'Resolve Memory Conflict',
  text: 'Say which of two contradicting memories holds; the other is hidden from searches and stays readable.',
  action: 'write',
  destructive: true,
  idempotent: true,
  listed: {
    winner_hash: label(undefined, { isRequired: true }),
    loser_hash: label(undefined, { isRequired: true }),
  },
  async run({ engine, caller }, { winner_hash: winner, loser_hash: loser }) {
    const resolved = await engine.resolveConflict(caller, { winner, loser });
    const [kept, hidden] = [resolved.winner, resolved.loser].map(({ contentHash }) => contentHash.slice(0, SHORT_HASH));
    return linesAnswer([`Conflict resolved: ${kept} supersedes ${hidden}`], {
      winner_hash: resolved.winner.contentHash,
      loser_hash: resolved.loser.contentHash,
    });
  },
});

export const CONFLICT_TOOLS: readonly Tool[] = [memoryConflicts, memoryResolve];
