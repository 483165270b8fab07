import { EngineError } from '../../model/errors.ts';
import type { RowSecurity } from '../../model/store-facts.ts';
import type { Sight } from '../sql/statements.ts';
import type { Database, Session } from './database.ts';
import { quoteLiteral, quoteName } from './quote.ts';
import { retryWhilePassing } from './translate-error.ts';

/** One statement, one wait for a lock, one pause between two statements of a transaction. */
const TIME_LIMITS =
  'SET LOCAL statement_timeout = 15000; SET LOCAL lock_timeout = 5000; SET LOCAL idle_in_transaction_session_timeout = 30000;';

/** For writes: a plan kept from when a table was small would go on reading it from end to end, until the server next gathers statistics. */
const FRESH_PLANS = "SET LOCAL plan_cache_mode = 'force_custom_plan';";

export interface Surroundings {
  schema: string;
  /** Set where the connection's own role would get past row-level security. */
  role: string | null;
  isCitus: boolean;
  rowSecurity: RowSecurity;
  /** Reads see the database as whoever exported this snapshot does; absent: as it is. */
  snapshot?: string;
}

export interface Transactions {
  readonly surroundings: Surroundings;
  /** One state of the database throughout, whatever others write meanwhile. */
  read<T>(sight: Sight, work: (session: Session) => Promise<T>): Promise<T>;
  /** `work` may run more than once, also after it has been committed (when the connection broke before the answer): it must not mind. */
  write<T>(sight: Sight, work: (session: Session) => Promise<T>, keeps?: (value: T) => boolean): Promise<T>;
  /** Opens a writing transaction without waiting for the answer; whoever uses it must await something before writing. */
  begin(session: Session, sight: Sight): Promise<string>;
  close(): void;
}

export function createTransactions(
  database: Database,
  surroundings: Surroundings,
  longestWaitMs: number,
): Transactions {
  let closed = false;

  function expectOpen(): void {
    if (closed) throw new EngineError('internal', 'The store is closed.');
  }

  async function readOnce<T>(sight: Sight, work: (session: Session) => Promise<T>): Promise<T> {
    return database.withSession(async (session) => {
      const begun = session.run(openingOf('ISOLATION LEVEL REPEATABLE READ READ ONLY', sight, surroundings));
      const [value] = await Promise.all([work(session), begun]);
      // Nobody waits for the end of a transaction that has written nothing.
      session.send('COMMIT');
      return value;
    });
  }

  async function writeOnce<T>(
    sight: Sight,
    work: (session: Session) => Promise<T>,
    keeps: (value: T) => boolean,
  ): Promise<T> {
    return database.withSession(async (session) => {
      await session.run(openingOf('', sight, surroundings));
      const value = await work(session);
      await session.settle();
      await session.run(keeps(value) ? 'COMMIT' : 'ROLLBACK');
      return value;
    });
  }

  return {
    surroundings,
    async read(sight, work) {
      expectOpen();
      return retryWhilePassing(() => readOnce(sight, work), longestWaitMs);
    },
    async write(sight, work, keeps = () => true) {
      expectOpen();
      return retryWhilePassing(() => writeOnce(sight, work, keeps), longestWaitMs);
    },
    begin: (session, sight) => session.run(openingOf('', sight, surroundings)),
    close() {
      closed = true;
    },
  };
}

/**
 * Before anything else, since a statement that waits for a table has taken its view of the rows before it waits: of a table that is being rewritten
 * (`ltm server distribute`) it would then see none at all. Whoever rewrites tables locks this one first. LOCK takes no view.
 */
const WAIT_FOR_REWRITING = 'LOCK TABLE ltm_schema IN ACCESS SHARE MODE;';

/**
 * Everything is set for the transaction alone, so that it holds behind a pooler that changes connections between transactions.
 * As statements and not by set_config(): only these reach the workers of a Citus cluster.
 */
function openingOf(mode: string, sight: Sight, { schema, role, isCitus, snapshot }: Surroundings): string {
  const space = typeof sight === 'object' ? sight.space : '';
  return [
    `BEGIN ${mode};`,
    snapshot === undefined ? '' : `SET TRANSACTION SNAPSHOT ${quoteLiteral(snapshot)};`,
    TIME_LIMITS,
    mode === '' ? FRESH_PLANS : '',
    // The lock on this node is enough, and the other nodes need not be asked for it.
    isCitus ? 'SET LOCAL citus.enable_ddl_propagation = off;' : '',
    isCitus ? "SET LOCAL citus.propagate_set_commands = 'local';" : '',
    `SET LOCAL search_path = ${quoteName(schema)};`,
    role === null ? '' : `SET LOCAL ROLE ${quoteName(role)};`,
    WAIT_FOR_REWRITING,
    `SET LOCAL ltm.space = ${quoteLiteral(space)};`,
    `SET LOCAL ltm.lists_spaces = '${sight === 'list_of_spaces' ? 'on' : ''}'`,
  ].join(' ');
}
