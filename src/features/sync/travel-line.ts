import * as z from 'zod';
import type { KindTable } from '../../engine/records/kind.ts';
import type { ImportedVersion } from '../../model/change.ts';
import { type HeldRecord, stateOf } from '../../model/held-record.ts';
import { isRecordId, type Sequence } from '../../model/ids.ts';
import type { Incoming } from '../../model/plan-take.ts';
import type { SharedState } from '../../model/shared-state.ts';
import { stateSchema } from '../../model/state-schema.ts';
import { lineSchemas } from '../transfer/export-lines.ts';
import { exportedRecord } from '../transfer/export-records.ts';

/** Replicas of another format do not understand each other. */
export const TRAVEL_FORMAT = 1;

const id = z.string().refine(isRecordId, 'is not a record id');

const lineSchema = z.object({
  id,
  buried: z.number().int().nonnegative(),
  purgedAt: z.number().int().nullable(),
  state: stateSchema.nullable(),
  versions: z.array(lineSchemas.version),
});

/** The last line of a page. */
const endSchema = z.object({ to: z.string(), epoch: z.string(), isLast: z.boolean() });
export type TravelEnd = z.infer<typeof endSchema>;

export function readTravelLine(text: string): Incoming | TravelEnd | null {
  try {
    const value: unknown = JSON.parse(text);
    const end = endSchema.safeParse(value);
    if (end.success) return end.data;
    const line = lineSchema.safeParse(value);
    if (!line.success) return null;
    const versions = line.data.versions.map((version) => ({
      ...version,
      record: { ...version.record, space: '' },
    })) as ImportedVersion[];
    return { ...line.data, state: line.data.state as SharedState | null, versions };
  } catch {
    return null; // told as a line that was not understood
  }
}

/** What is sent of a record; `since`: versions that were here before that are there already. Null where there is nothing to say. */
export function toTravelLine(held: HeldRecord, since: Sequence): Incoming | null {
  const state = stateOf(held);
  if (state === null && held.buried === 0) return null;
  const versions = held.versions
    .filter(({ seq }) => seq > since)
    .map(({ record, replacedAt, reason }) => ({ record: { ...record, space: '' }, replacedAt, reason }));
  return { id: held.id, buried: held.buried, purgedAt: held.purgedAt, state, versions };
}

export function formatTravelLine({ versions, ...line }: Incoming): string {
  return JSON.stringify({
    ...line,
    versions: versions.map((version) => ({ ...version, record: exportedRecord(version.record) })),
  });
}

export interface TravelFilter {
  kinds: KindTable;
  /** Absent: all. */
  projects?: readonly string[];
}

/** What is told of an id: of what is not exchanged, that it was purged once. */
export function tellable(held: HeldRecord, filter: TravelFilter): HeldRecord {
  return travels(held, filter) ? held : { ...held, record: null, stamps: null, relations: [], versions: [] };
}

/** Whether a record is exchanged at all. One that was in a project that is exchanged goes on being told of, so that its leaving is. */
function travels({ record, versions, stamps }: HeldRecord, { kinds, projects }: TravelFilter): boolean {
  const state = record === null && stamps !== null ? (JSON.parse(stamps) as SharedState) : null;
  if (record === null && state === null) return true;
  const kind = record?.kind ?? String(state?.fields.kind?.value);
  if (kinds.find(kind)?.staysHere === true) return false;
  if (projects === undefined) return true;
  const now = record === null ? state?.fields.project?.value : record.project;
  return [now, ...versions.map((version) => version.record.project)].some((name) => isOneOf(projects, name));
}

function isOneOf(projects: readonly string[], name: unknown): boolean {
  return typeof name === 'string' && projects.includes(name);
}
