import type { KindTable } from '../../engine/records/kind.ts';
import { trustOf } from '../../engine/records/origin.ts';
import type { Caller } from '../../model/caller.ts';
import { canonicalJson } from '../../model/canonical-json.ts';
import type { ImportedState } from '../../model/change.ts';
import { defined } from '../../model/defined.ts';
import type { Instant } from '../../model/ids.ts';
import { lowestTrust, type Source, type StoredRecord } from '../../model/record.ts';
import { type ExportedRecord, exportedRecord } from './export-records.ts';

interface Importing {
  kinds: KindTable;
  caller: Caller;
  now: Instant;
  untrusted: boolean;
}

/**
 * A record of a file as it is kept here. A command at the machine of the database restores it as it was. Whatever comes in by another way is
 * stamped with who brought it and believed no more than they are: what the file says of its origin is kept beside that, as a claim.
 */
export function stampImported(exported: ExportedRecord, { kinds, caller, now, untrusted }: Importing): ImportedState {
  const record = { ...exported, space: caller.space };
  if (caller.door === 'cli' && !untrusted) return record;
  const { userId, client, host } = caller;
  const { source, trust } = exported;
  return {
    ...record,
    body: kinds.need(record.kind).adopt?.(record, userId) ?? record.body,
    source: defined({
      door: 'import',
      userId,
      client,
      host,
      at: now,
      claimed: source.claimed ?? { ...firstOrigin(source), trust, createdAt: exported.createdAt },
    }),
    trust: untrusted ? 'untrusted' : lowestTrust(trust, trustOf(caller)),
  };
}

/** Whichever replica wrote it, whoever brought it here, and whichever number it was given then. */
export function isSameRecord(
  kinds: KindTable,
  known: StoredRecord,
  { exported, stamped }: { exported: ExportedRecord; stamped: ImportedState },
): boolean {
  const there = withoutStamp(kinds, known);
  return there === withoutStamp(kinds, exported) || there === withoutStamp(kinds, stamped);
}

function withoutStamp(kinds: KindTable, record: StoredRecord | ExportedRecord): string {
  const plain = exportedRecord(record);
  const unnumbered = { ...plain, ...kinds.find(record.kind)?.renumber?.(plain, 0) };
  return canonicalJson({ ...unnumbered, source: firstOrigin(record.source), dot: null, trust: null });
}

function firstOrigin({ claimed, ...stamped }: Source): Pick<Source, 'door' | 'userId' | 'client' | 'host'> {
  const { door, userId, client, host } = claimed ?? stamped;
  return defined({ door, userId, client, host });
}
