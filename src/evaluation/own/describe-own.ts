import { round } from '../describe-evaluation.ts';
import type { Found, OwnEvaluation } from './summarise-own.ts';

/** The JSON that programs read; its names do not change. */
export function describeOwn(own: OwnEvaluation): object {
  const { memories, all, byKind, text, semantic, nothingRate, misses, searchP50Ms, searchP95Ms } = own;
  return {
    memories,
    questions: all.questions,
    engine: describeFound(all),
    parts: { text: describeFound(text), semantic: semantic === null ? null : describeFound(semantic) },
    by_kind: Object.fromEntries(byKind.map(({ kind, found }) => [kind, describeFound(found)])),
    nothing_rate: round(nothingRate),
    misses,
    timing: { search_p50_ms: round(searchP50Ms), search_p95_ms: round(searchP95Ms) },
  };
}

function describeFound({ questions, at1, at5, at10 }: Found): object {
  return { questions, found_at_1: round(at1), found_at_5: round(at5), found_at_10: round(at10) };
}
