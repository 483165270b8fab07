import { compareIds } from './index/columns.ts';
import { holdsOneValue } from './index/holds-one-value.ts';
import type { Part } from './index/part.ts';

/** The turns of a part: for each conversation and session its turns in the order of their ids, which is the order in which they were said. */
export interface Turns {
  /** By groupOf(record). */
  groups: Map<number, Uint32Array>;
  /** A turn's place in its group. */
  place: Uint32Array;
}

const listed = new WeakMap<Part, { records: number; turns: Turns | null }>();

/** null where the part holds no turns. Made once for a segment, again for a tail that has grown. */
export function listTurns(part: Part): Turns | null {
  const { recordCount } = part.columns;
  const known = listed.get(part);
  if (known !== undefined && known.records === recordCount) return known.turns;
  const turns = groupTurns(part);
  listed.set(part, { records: recordCount, turns });
  return turns;
}

/** Codes mean something only within one part, and so does this number. */
export function groupOf({ columns }: Part, record: number): number {
  return columns.conversation[record]! * columns.labels.size + columns.session[record]!;
}

/** The number of the same conversation and session in another part; null where that part knows nothing of them. */
export function translateGroup(from: Part, record: number, to: Part): number | null {
  const { conversation, session, labels } = from.columns;
  const codes: number[] = [];
  for (const code of [conversation[record]!, session[record]!]) {
    const translated = code === 0 ? 0 : to.columns.labels.codeOf(labels.textOf(code));
    if (code !== 0 && translated === 0) return null;
    codes.push(translated);
  }
  return codes[0]! * to.columns.labels.size + codes[1]!;
}

export function isTurn({ columns }: Part, record: number): boolean {
  return columns.speaker[record] !== 0;
}

function groupTurns(part: Part): Turns | null {
  const { recordCount, speaker } = part.columns;
  if (holdsOneValue(speaker.subarray(0, recordCount), 0)) return null;
  const { ids } = part.columns;
  const members = new Map<number, number[]>();
  for (let record = 0; record < recordCount; record++) {
    if (!isTurn(part, record)) continue;
    const group = groupOf(part, record);
    const own = members.get(group);
    if (own === undefined) members.set(group, [record]);
    else own.push(record);
  }
  if (members.size === 0) return null;
  const place = new Uint32Array(recordCount);
  const groups = new Map<number, Uint32Array>();
  for (const [group, records] of members) {
    const sorted = Uint32Array.from(records).sort((a, b) => compareIds(ids, a, ids, b));
    for (let at = 0; at < sorted.length; at++) place[sorted[at]!] = at;
    groups.set(group, sorted);
  }
  return { groups, place };
}
