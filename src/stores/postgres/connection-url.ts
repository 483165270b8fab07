import { EngineError } from '../../model/errors.ts';

/** A schema of its own: the tables stay apart from whatever else is in the database. */
const DEFAULT_SCHEMA = 'ltm';
const DEFAULT_POOL_SIZE = 10;
/** PostgreSQL cuts longer names off. */
const MAX_NAME_BYTES = 63;
const MAX_POOL_SIZE = 1000;

export interface ConnectionPlan {
  /** For the driver alone: it may hold a password. */
  secretUrl: string;
  schema: string;
  poolSize: number;
  /** False behind a pooler that does not carry prepared statements. */
  prepares: boolean;
  /** What may be shown: host, database and schema. */
  location: string;
}

/** Takes our own parameters (`schema`, `pool_size`, `prepare`) out of the URL and leaves the driver's (`sslmode` …) in it. No message ever repeats it. */
export function readConnectionUrl(text: string): ConnectionPlan {
  if (!URL.canParse(text)) throw unreadable('The URL of the PostgreSQL database is not valid.');
  const url = new URL(text);
  const take = (name: string) => {
    const value = url.searchParams.get(name);
    url.searchParams.delete(name);
    return value;
  };
  const schema = take('schema') ?? DEFAULT_SCHEMA;
  if (schema === '' || Buffer.byteLength(schema) > MAX_NAME_BYTES || /^pg_/i.test(schema) || schema.includes('\0')) {
    throw unreadable(
      `"schema" in the URL must be a name of 1 to ${MAX_NAME_BYTES} bytes that does not begin with pg_.`,
    );
  }
  const poolSize = Number(take('pool_size') ?? DEFAULT_POOL_SIZE);
  if (!Number.isInteger(poolSize) || poolSize < 1 || poolSize > MAX_POOL_SIZE) {
    throw unreadable(`"pool_size" in the URL must be a whole number from 1 to ${MAX_POOL_SIZE}.`);
  }
  const prepare = take('prepare') ?? 'true';
  if (prepare !== 'true' && prepare !== 'false') throw unreadable('"prepare" in the address must be true or false.');
  const host = url.searchParams.get('host') ?? url.host;
  const location = `postgres://${host}${url.pathname}${schema === DEFAULT_SCHEMA ? '' : `?schema=${schema}`}`;
  return { secretUrl: url.href, schema, poolSize, prepares: prepare === 'true', location };
}

function unreadable(message: string): EngineError {
  return new EngineError('storage_unsupported', message, {
    hint: 'Write postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME, with special characters of the password percent-encoded.',
  });
}
