import type { Belief } from '../../features/truth/belief.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import type { VerbContext } from '../../verbs/verb.ts';
import { quoteText } from './service-memory.ts';

const MOST = 10;

/** What several memories say alike and at least one of these says, or denies. */
export async function findBeliefs({ engine, caller }: VerbContext, ids: readonly string[]): Promise<Belief[]> {
  return ids.length === 0 ? [] : engine.listBeliefs(caller, { ids, limit: MOST });
}

/** The hash is that of the newest memory that says it, which can be read by it. */
export function describeBelief({ content, confidence, status, sources, contradicted }: Belief) {
  return {
    content: cleanText(content),
    confidence: Math.round(confidence * 10_000) / 10_000,
    status,
    belief_hash: sources[0]?.contentHash ?? null,
    derived_from: sources.map(({ contentHash }) => contentHash),
    contradicted_by: contradicted.map(({ contentHash }) => contentHash),
  };
}

/** The section that the service adds to an answer; nothing where there are none. */
export function beliefLines(beliefs: readonly Belief[]): string[] {
  if (beliefs.length === 0) return [];
  return [
    '',
    '--- Beliefs (derived knowledge) ---',
    ...beliefs.flatMap((belief, at) => {
      const { confidence, belief_hash: hash, status, derived_from: from } = describeBelief(belief);
      return [
        `${at + 1}. [conf=${confidence.toFixed(2)}] ${quoteText(belief.content)}`,
        `   Hash: ${hash}`,
        `   Status: ${status} | Sources: ${from.length}`,
      ];
    }),
  ];
}
