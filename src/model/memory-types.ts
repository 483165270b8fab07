/** The known types of a memory: bases and their subtypes. An unknown type is kept as given, with a warning. */
export type MemoryTypes = Readonly<Record<string, readonly string[]>>;

/** What to do when a memory says nearly the same. */
export const ON_DUPLICATE = ['report', 'store', 'merge', 'append', 'supersede', 'refuse'] as const;
export type OnDuplicate = (typeof ON_DUPLICATE)[number];

export const DEFAULT_MEMORY_TYPE = 'note';

/** Subtypes are parted by blanks. */
const BUILT_IN = {
  observation: 'code_edit file_access search command conversation conversation_turn session document note reference',
  decision: 'architecture tool_choice approach configuration',
  learning: 'insight best_practice anti_pattern gotcha fact',
  error: 'bug failure exception timeout mistake',
  pattern: 'recurring_issue code_smell design_pattern workflow',
  planning:
    'sprint_goal backlog_item story_point_estimate velocity retrospective standup_note acceptance_criteria task todo',
  ceremony: 'sprint_review sprint_planning daily_standup retrospective_action demo_feedback',
  milestone: 'deliverable dependency risk constraint assumption deadline',
  stakeholder: 'requirement feedback escalation approval change_request status_update',
  meeting: 'action_item attendee_note agenda_item follow_up minutes',
  research: 'finding comparison recommendation source hypothesis idea',
  preference: 'habit style convention',
  communication: 'email_summary chat_summary announcement request response',
};

export const MEMORY_TYPES: MemoryTypes = Object.fromEntries(
  Object.entries(BUILT_IN).map(([base, subtypes]) => [base, subtypes.split(' ')]),
);

/** The built-in types and those the operator added, bases merged. */
export function mergeMemoryTypes(custom: MemoryTypes): MemoryTypes {
  const merged: Record<string, readonly string[]> = { ...MEMORY_TYPES };
  for (const [base, subtypes] of Object.entries(custom))
    merged[base] = [...new Set([...(merged[base] ?? []), ...subtypes])];
  return merged;
}

/** A base means its subtypes too: who asks for learnings wants facts and insights. */
export function withSubtypes(types: MemoryTypes, wanted: readonly string[]): string[] {
  return [...new Set(wanted.flatMap((type) => [type, ...(Object.hasOwn(types, type) ? types[type]! : [])]))];
}

const listed = new WeakMap<MemoryTypes, readonly string[]>();

/** In order; made once for a table, because every memory that is stored asks. */
export function listMemoryTypes(types: MemoryTypes): readonly string[] {
  const known =
    listed.get(types) ?? [...new Set(Object.entries(types).flatMap(([base, subtypes]) => [base, ...subtypes]))].sort();
  listed.set(types, known);
  return known;
}
