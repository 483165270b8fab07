import type { ImportedState, ImportedVersion } from './change.ts';
import type { RecordId, SpaceId } from './ids.ts';
import type { Relation } from './relation.ts';

/** Where records are taken from that cannot be made out of what is left: a copy of the database, or an export. */
export interface MendSource {
  find(space: SpaceId, id: RecordId): Promise<ImportedState | null>;
  findVersions(space: SpaceId, id: RecordId): Promise<ImportedVersion[]>;
  /** Those that begin at the record. */
  findRelations(space: SpaceId, id: RecordId): Promise<Relation[]>;
}

export type OpenedMendSource = MendSource & { close(): Promise<void> };
