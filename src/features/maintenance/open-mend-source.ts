import { closeSync, copyFileSync, mkdtempSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../engine/ports.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { OpenedMendSource } from '../../model/mend-source.ts';
import type { Databases } from '../../verbs/machine.ts';
import type { Feature } from '../feature.ts';

const SQLITE = 'SQLite format 3\0';

/** A copy of a database, or an export, from which a repair takes what is damaged. The file itself is left as it is. */
export async function openMendSource(
  file: string,
  ports: { machine: Databases; features: readonly Feature[]; kinds: KindTable; log: Log },
): Promise<OpenedMendSource> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) throw new EngineError('not_found', `There is no file ${file}.`);
  return startsLikeDatabase(file) ? openCopy(file, ports) : readOther(file, ports);
}

function startsLikeDatabase(file: string): boolean {
  const bytes = Buffer.alloc(SQLITE.length);
  const handle = openSync(file, 'r');
  try {
    return readSync(handle, bytes, 0, bytes.length, 0) === bytes.length && bytes.toString('latin1') === SQLITE;
  } finally {
    closeSync(handle);
  }
}

/** Of an earlier release it may be: what is opened is migrated, so a copy is. */
async function openCopy(file: string, { machine, log }: { machine: Databases; log: Log }): Promise<OpenedMendSource> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-mend-'));
  const path = join(folder, 'copy.db');
  for (const ending of ['', '-wal'])
    if (statSync(`${file}${ending}`, { throwIfNoEntry: false })?.isFile() === true)
      copyFileSync(`${file}${ending}`, `${path}${ending}`);
  const store = await machine.openStore(path, { log });
  return {
    find: async (space, id) => (await store.getRecords(space, [id], passOver))[0] ?? null,
    findVersions: (space, id) => store.listVersions(space, id, passOver),
    findRelations: async (space, id) =>
      (await store.listRelations(space, [id], passOver)).filter(({ from }) => from === id),
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function readOther(
  file: string,
  { features, kinds }: { features: readonly Feature[]; kinds: KindTable },
): Promise<OpenedMendSource> {
  const open = await features.find(({ mends }) => mends !== undefined)?.mends?.();
  if (open === undefined) throw new EngineError('invalid_input', `${file} is no database of ltm.`);
  return open(file, kinds);
}
