import { EngineError } from '../../model/errors.ts';

/** Up to 3.51.2 two writers can corrupt a WAL database when a checkpoint meets them at the wrong moment. */
const OLDEST_SAFE = [3, 51, 3] as const;

export function isSafeSqliteVersion(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, least] of OLDEST_SAFE.entries()) {
    const part = parts[i] ?? 0;
    if (!Number.isInteger(part)) return false;
    if (part !== least) return part > least;
  }
  return true;
}

export function checkSqliteVersion(version: string): void {
  if (isSafeSqliteVersion(version)) return;
  throw new EngineError(
    'storage_unsupported',
    `SQLite ${version} can damage a database that several programs write to; ${OLDEST_SAFE.join('.')} or later is needed.`,
    {
      hint: 'Use a newer release of Node 24, which brings a newer SQLite.',
      details: { version },
    },
  );
}
