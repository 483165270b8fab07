import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { KindTable } from '../../engine/records/kind.ts';
import { EngineError } from '../../model/errors.ts';
import type { OpenedMendSource } from '../../model/mend-source.ts';
import { readExport } from './read-export.ts';

/** What `ltm export` wrote, as a source of records for a repair. */
export async function openExport(file: string, kinds: KindTable): Promise<OpenedMendSource> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  const { records, relations, problems } = await readExport(kinds, lines, { skipDamaged: true });
  if (records.length === 0)
    throw new EngineError('invalid_input', `${file} is neither a database nor an export of ltm.`, {
      hint: problems[0]?.message ?? 'Give a copy of the database, or what `ltm export` wrote.',
    });
  const byId = new Map(records.map((one) => [one.record.id, one]));
  return {
    async find(space, id) {
      const record = byId.get(id)?.record;
      return record === undefined ? null : { ...record, space };
    },
    findVersions: async (space, id) =>
      (byId.get(id)?.versions ?? []).map(({ record, ...version }) => ({ record: { ...record, space }, ...version })),
    findRelations: async (_space, id) => relations.filter(({ from }) => from === id),
    close: async () => {},
  };
}
