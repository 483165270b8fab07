import { withForeign } from './foreign-database.ts';
import { type Place, textOr } from './imported.ts';

/** The folders of notes that a database of basic-memory is the index of; null for any other file. Its memories are the notes, so they are what is imported. */
export function findNoteFolders({ path, tables }: Place): string[] | null {
  const isIndex = tables.get('entity')?.includes('permalink') === true && tables.has('observation');
  if (!isIndex) return null;
  return [...withForeign(path, (database) => [...database.rows('project', 'id')])].flatMap((row) =>
    textOr(row.path, []),
  );
}
