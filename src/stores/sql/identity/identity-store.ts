import type { IdentityStore } from '../../../auth/ports.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { IdentityChange, IdentityOutcome } from '../../../model/identity.ts';
import type { Instant } from '../../../model/ids.ts';
import type { SqlDatabase } from '../sql-database.ts';
import { count, exists, lock, type Steps, sendRows } from '../statements.ts';
import { applyIdentityChange } from './change-identity.ts';
import { openPlainSql } from './plain-sql.ts';
import { createIdentityReader } from './read-identity.ts';

const AUDIT_COLUMNS = ['seq', 'at', 'actor', 'op', 'subject', 'team_id'];

export function createIdentityStore(database: SqlDatabase, clock: Clock): IdentityStore {
  return {
    async changeIdentity(changes, actor) {
      const request = { actor, now: clock.now(), mark: database.newMark() };
      return database.write('no_space', () => applyChanges(changes, request), {
        weight: changes.length,
        keeps: ({ outcome }) => outcome === 'changed',
      });
    },
    ...createIdentityReader(openPlainSql(database)),
  };
}

/** One after another, so that the audit log has no gaps and each sees what the one before it did. */
function* applyChanges(
  changes: readonly IdentityChange[],
  { actor, now, mark }: { actor: string; now: Instant; mark: string | null },
): Steps<IdentityOutcome> {
  yield* lock('identities', '');
  if (mark !== null && (yield* exists('SELECT 1 FROM audit WHERE change_id = $1', mark))) return { outcome: 'changed' };
  let seq = yield* count('SELECT max(seq) AS n FROM audit');
  const marks = mark === null ? {} : { change_id: mark };
  for (const [index, change] of changes.entries()) {
    const applied = yield* applyIdentityChange(change);
    if (typeof applied === 'string') return { outcome: 'conflict', conflict: { index, reason: applied } };
    yield* sendRows({
      into: { table: 'audit', columns: [...AUDIT_COLUMNS, ...Object.keys(marks)] },
      space: null,
      rows: [[++seq, now, actor, change.op, applied.subject, applied.teamId, ...Object.values(marks)]],
    });
  }
  return { outcome: 'changed' };
}
