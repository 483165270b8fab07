import { EngineError } from '../../model/errors.ts';

/** Why this program must leave the database alone, where a newer one has made it. */
export function findNewerSchema(version: number, known: number): EngineError | null {
  if (version <= known) return null;
  const message = `The database was made by a newer ltm (schema ${version}; this one knows ${known}). It was left as it is.`;
  return new EngineError('storage_unsupported', message, {
    hint: 'Update ltm, then restart it.',
    details: { schema: version, known },
  });
}
