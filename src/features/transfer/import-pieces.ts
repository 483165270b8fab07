import type { EngineParts } from '../../engine/engine-parts.ts';
import { scrubHolder } from '../../engine/maintenance/scrub-records.ts';
import { dropUnheld } from '../../engine/maintenance/sweep-chunks.ts';
import { unpackChunk } from '../../engine/pieces/pack-chunk.ts';
import type { Caller } from '../../model/caller.ts';
import type { Chunk } from '../../model/chunk.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId } from '../../model/ids.ts';
import { describeRedactions } from '../../model/redaction.ts';
import { redactLines } from '../../privacy/redact-lines.ts';
import type { ImportOptions } from './import-records.ts';

const NEWLINE = 0x0a;
const PAGE = 50;

interface ImportedPieces {
  take(chunk: Chunk): Promise<void>;
  /** Takes the secrets out of the pieces that these records hold; what was found. */
  redact(ids: readonly RecordId[]): Promise<string[]>;
}

/** Pieces of transcripts that come with a file. That they hold no secrets is not believed, but looked at; what holds some is put right with its record. */
export async function openPieces(
  parts: EngineParts,
  caller: Caller,
  { dryRun, noRedact }: ImportOptions,
): Promise<ImportedPieces> {
  const { store, clock, kinds, settings } = parts;
  const { space } = caller;
  const redacts = settings.redact === 'replace' && noRedact !== true;
  const isClean = async (chunk: Chunk): Promise<boolean> => {
    const bytes = await unpackChunk(chunk);
    return bytes.at(-1) === NEWLINE && redactLines(bytes).replaced === 0;
  };
  const redactHolders = async (ids: readonly RecordId[], told: string[]): Promise<void> => {
    for (const record of await store.getRecords(space, ids, passOver)) {
      const names = kinds.find(record.kind)?.chunksOf?.(record) ?? [];
      const unsure = (await store.chunks.find(space, names)).some(({ alias, clean }) => alias === null && !clean);
      const found = unsure ? await scrubHolder(parts, caller, record) : null;
      if (found === null) continue;
      told.push(`${record.id}: ${describeRedactions(found).join(' ')}`);
      await dropUnheld(parts, space, names);
    }
  };
  return {
    async take(chunk) {
      if (dryRun === true) return;
      const clean = chunk.alias !== null || (redacts && (await isClean(chunk)));
      await store.chunks.put(space, [{ ...chunk, clean }], clock.now());
    },
    async redact(ids) {
      const told: string[] = [];
      if (dryRun === true || !redacts || (await store.chunks.list(space, '', 1)).length === 0) return told;
      for (let at = 0; at < ids.length; at += PAGE) await redactHolders(ids.slice(at, at + PAGE), told);
      return told;
    },
  };
}
