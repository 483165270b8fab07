import { dirname, join } from 'node:path';
import { EngineError } from '../../model/errors.ts';
import { findNoteFolders } from './importers/basic-memory.ts';
import { lookAt, recogniseImporter } from './importers/importer-table.ts';

/** The same refusal, with whose database it is and how what is in it comes here, where that can be told. */
export async function nameForeignDatabase(db: string, error: EngineError): Promise<EngineError | null> {
  const recognise = async () => recogniseImporter(lookAt(db));
  // What cannot be read, or is no file, is refused as it was.
  const findFolders = async () => findNoteFolders(lookAt(db));
  const folders = await findFolders().catch(() => null);
  if (folders !== null)
    return new EngineError('storage_unsupported', 'This file is a database of basic-memory. It was not changed.', {
      hint: `Import its notes with \`ltm import ${folders[0] ?? 'FOLDER'}\`, and name another file for the database.`,
      cause: error,
    });
  const importer = await recognise().catch(() => null);
  if (importer === null) return null;
  const ours = join(dirname(db), 'ltm.db');
  return new EngineError('storage_unsupported', `This file is a database of ${importer.name}. It was not changed.`, {
    hint: `Take everything over with \`ltm import --from ${importer.name} ${db} --db ${ours}\`, then name ${ours} wherever this file is named.`,
    cause: error,
  });
}
