import type { LocalAccounts } from '../server/local-accounts.ts';
import type { CommandContext } from './command.ts';

/** Opens the accounts of the local database for one command, and closes them whatever happens. */
export async function withAccounts<T>(
  { sources }: Pick<CommandContext, 'sources'>,
  work: (opened: LocalAccounts) => Promise<T>,
): Promise<T> {
  const { openLocalAccounts } = await import('../server/local-accounts.ts');
  const opened = await openLocalAccounts(sources);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
