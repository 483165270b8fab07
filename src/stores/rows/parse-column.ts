import { EngineError } from '../../model/errors.ts';

/** JSON that we wrote ourselves: if it does not parse, the file is damaged. */
export function parseColumn<T>(text: string, owner: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new EngineError('storage_damaged', 'A row in the database is damaged.', {
      hint: 'Run `ltm doctor`.',
      details: { owner },
      cause,
    });
  }
}
