import { EngineError } from '../../model/errors.ts';
import type { SqlDatabase } from '../sql/statements.ts';
import type { Database, Session } from './database.ts';
import { quoteName } from './quote.ts';
import { createSqlDatabase } from './run-steps.ts';
import { createTransactions, type Surroundings, type Transactions } from './transactions.ts';
import { retryWhilePassing } from './translate-error.ts';

interface MomentOptions {
  surroundings: Surroundings;
  longestWaitMs: number;
  /** A database with one connection, which is ours from here on. */
  keeper: Database;
}

interface Moment {
  transactions: Transactions;
  read: SqlDatabase['read'];
  release(): Promise<void>;
}

/**
 * A transaction that does nothing keeps the moment, and every read joins it by its exported snapshot. Tables cannot be rewritten meanwhile: to an older
 * snapshot they would look empty.
 */
export async function holdMoment(database: Database, options: MomentOptions): Promise<Moment> {
  const { surroundings, longestWaitMs, keeper } = options;
  const kept = await retryWhilePassing(() => keepTransaction(keeper, surroundings.schema), longestWaitMs).catch(
    async (error: unknown) => {
      await keeper.close();
      throw error;
    },
  );
  const transactions = createTransactions(database, { ...surroundings, snapshot: kept.snapshot }, longestWaitMs);
  const { read } = createSqlDatabase(transactions);
  return {
    transactions,
    async read(sight, work, how) {
      try {
        return await read(sight, work, how);
      } catch (error) {
        if (await kept.isThere()) throw error;
        throw lost(error);
      }
    },
    async release() {
      transactions.close();
      await kept.end();
      await keeper.close();
    },
  };
}

interface KeptTransaction {
  snapshot: string;
  isThere(): Promise<boolean>;
  end(): Promise<void>;
}

/** Longer than all reads together may take. */
const NO_LIMITS = `SET LOCAL idle_in_transaction_session_timeout = 0;
  SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'`;

async function keepTransaction(keeper: Database, schema: string): Promise<KeptTransaction> {
  const begun = Promise.withResolvers<KeptTransaction>();
  const over = Promise.withResolvers<void>();
  const kept = keeper.withSession(async (session) => {
    await session.run(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL lock_timeout = 5000;
      LOCK TABLE ${quoteName(schema)}.ltm_schema IN ACCESS SHARE MODE; ${NO_LIMITS}`);
    const { rows } = await session.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
    begun.resolve({
      snapshot: rows[0]!.snapshot,
      isThere: () => answers(session),
      async end() {
        over.resolve();
        await kept;
      },
    });
    await over.promise;
    // Nothing was written, so nothing is lost with a connection that is gone.
    if (await answers(session)) await session.run('COMMIT');
  });
  kept.catch(begun.reject);
  return begun.promise;
}

async function answers(session: Session): Promise<boolean> {
  try {
    await session.run('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

function lost(cause: unknown): EngineError {
  return new EngineError(
    'busy',
    'The connection that kept the state of the database was lost while it was being read.',
    {
      hint: 'Run the command again.',
      cause,
    },
  );
}
