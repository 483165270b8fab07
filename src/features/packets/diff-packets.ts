import type { Packet } from './packet.ts';

export interface PacketDifference {
  field: string;
  removed: string[];
  added: string[];
}

const FIELDS = [
  ...(['parent_id', 'project', 'goal', 'success_criteria', 'constraints', 'decisions'] as const),
  ...(['methods', 'attempts', 'open_questions', 'next_step', 'tags', 'provenance'] as const),
] satisfies readonly (keyof Packet)[];

/** What the second says otherwise than the first, field by field; items of lists are compared whole, wherever they stand. */
export function diffPackets(before: Packet, after: Packet): PacketDifference[] {
  return FIELDS.flatMap((field) => {
    const [old, now] = [describe(before[field]), describe(after[field])];
    const removed = old.filter((item) => !now.includes(item));
    const added = now.filter((item) => !old.includes(item));
    return removed.length + added.length === 0 ? [] : [{ field, removed, added }];
  });
}

function describe(value: Packet[(typeof FIELDS)[number]]): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.map(describeItem) : [describeItem(value)];
}

function describeItem(item: string | object): string {
  if (typeof item === 'string') return item;
  return Object.entries(item)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(' · ');
}
