import { EngineError } from '../../model/errors.ts';

/** A server has better tools for it than a program that would read all rows through one connection. */
export async function backup(): Promise<never> {
  throw new EngineError('storage_unsupported', 'A PostgreSQL database is not copied to a file by ltm.', {
    hint: 'Use pg_dump, base backups of the server, or `ltm export`.',
  });
}
