import pg from 'pg';
import type { Log } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import { sha256Of } from '../../model/sha256.ts';
import { type ConnectionPlan, readConnectionUrl } from './connection-url.ts';
import { copyOut } from './copy-out.ts';
import { createOutbox, type Database, findFirstFailure, type Session, type Value } from './database.ts';
import { listenOn } from './pg-listener.ts';
import { decodeText, encodeText } from './quote.ts';
import { isStatementLost, sqlState } from './translate-error.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 30_000;
/** A little longer than the server's own limit: only a server that no longer speaks at all meets it. */
const ANSWER_TIMEOUT_MS = 20_000;
/** More callers than this waiting for a connection are turned away: a queue that only grows helps nobody. */
const MAX_WAITING = 1_000;

const INT8 = 20;
const TEXT_TYPES = new Set([25, 1043, 18, 19]);

/** bigint as a number (times and counts stay far below 2^53), text decoded, everything else as the driver does it. */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary' && oid === INT8) return Number;
    if (format !== 'binary' && TEXT_TYPES.has(oid)) return decodeText;
    return pg.types.getTypeParser(oid, format);
  },
};

interface PgDatabaseOptions {
  log: Log;
  /** Where to listen, if `plan` leads to a pooler that does not let anybody listen. */
  listenUrl?: string | null;
}

export function openPgDatabase(plan: ConnectionPlan, { log, listenUrl = null }: PgDatabaseOptions): Database {
  const config: pg.PoolConfig = {
    connectionString: plan.secretUrl,
    application_name: 'ltm',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    pipeline: true,
    types,
  };
  const pool = new pg.Pool({ ...config, max: plan.poolSize, idleTimeoutMillis: IDLE_TIMEOUT_MS });
  const names = createStatementNames(plan.prepares);
  // Without a listener a lost connection would end the process. The work that was under way learns of it by its own error.
  const noteLoss = (error: Error) =>
    log.warn('database_connection_lost', { postgres: sqlState(error) ?? 'connection' });
  pool.on('error', noteLoss);
  pool.on('connect', (client) => client.on('error', () => {}));
  const ears = { ...config, ...(listenUrl !== null && { connectionString: readConnectionUrl(listenUrl).secretUrl }) };

  return {
    location: plan.location,
    async withSession(work) {
      if (pool.waitingCount >= MAX_WAITING) {
        throw new EngineError('busy', 'Too many requests are waiting for the database.', {
          hint: 'Try again in a moment.',
          details: { waiting: pool.waitingCount },
        });
      }
      const client = await pool.connect();
      const session = openSession(client, names);
      try {
        const value = await work(session);
        client.release();
        return value;
      } catch (error) {
        const failure = await findFirstFailure(session, error);
        if (isStatementLost(failure) && names.giveUp())
          log.warn('prepared_statements_lost', {
            effect: 'the pooler does not keep prepared statements; statements are prepared each time from now on',
          });
        client.release(!(await rollBack(client, failure)));
        throw failure;
      }
    },
    listen: (channel, ear) =>
      listenOn({ ...ears, query_timeout: CONNECT_TIMEOUT_MS, pipeline: false }, { channel, ear, log }),
    close: () => pool.end(),
  };
}

function openSession(client: pg.PoolClient, names: StatementNames): Session {
  const outbox = createOutbox();
  const ask = (sql: string, values: readonly Value[] = []) =>
    outbox.watch(client.query({ ...names.nameOf(sql), text: sql, values: values.map(encodeValue) }));
  return {
    async query<Row>(sql: string, values?: readonly Value[]) {
      const { rows, rowCount } = await ask(sql, values);
      return { rows: rows as Row[], count: rowCount ?? 0 };
    },
    async run(sql, limitMs = ANSWER_TIMEOUT_MS) {
      const query = { text: sql, query_timeout: limitMs };
      const results: pg.QueryResult | pg.QueryResult[] = await outbox.watch(client.query(query));
      return (Array.isArray(results) ? results.at(-1) : results)?.command ?? '';
    },
    readBytes: (select, take) => outbox.watch(copyOut(client, select, take)),
    // The end of a transaction for which nobody waits must not fail because a pooler has lost its name.
    send: (sql, values) => outbox.add(values === undefined ? client.query(sql) : ask(sql, values)),
    settle: outbox.settle,
    causeOf: outbox.causeOf,
  };
}

function encodeValue(value: Value): unknown {
  if (typeof value === 'string') return encodeText(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? encodeText(item) : item)) : value;
}

/** False when the connection is in no state to go on with. Only after an error that the server itself reported is it worth a try. */
async function rollBack(client: pg.PoolClient, cause: unknown): Promise<boolean> {
  const isSpoken =
    cause instanceof EngineError ||
    (sqlState(cause) !== null && !(cause instanceof pg.DatabaseError && cause.severity === 'FATAL'));
  if (!isSpoken) return false;
  try {
    await client.query('ROLLBACK');
    return true;
  } catch {
    return false; // the error that made us roll back is the one to tell
  }
}

/** Listings make statements of many shapes; more than this many are not worth keeping on each connection. */
const MAX_NAMES = 200;
const DIGITS = 24;

interface StatementNames {
  /** A name under which the server keeps the statement's plan, or nothing. */
  nameOf(sql: string): { name: string } | Record<string, never>;
  /** From now on no statement has a name. False when none had one before. */
  giveUp(): boolean;
}

/**
 * A name says what the statement is: behind a pooler that hands connections round, another process may have left a statement under the same name,
 * and running a different one with our values must not be possible.
 */
function createStatementNames(prepares: boolean): StatementNames {
  const names = new Map<string, { name: string }>();
  let isOn = prepares;
  return {
    nameOf(sql) {
      if (!isOn) return {};
      const known = names.get(sql);
      if (known !== undefined) return known;
      if (names.size >= MAX_NAMES) return {};
      const named = { name: `ltm_${sha256Of(sql).slice(0, DIGITS)}` };
      names.set(sql, named);
      return named;
    },
    giveUp() {
      const wasOn = isOn;
      isOn = false;
      return wasOn;
    },
  };
}
