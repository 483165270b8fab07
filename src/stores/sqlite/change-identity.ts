import type { IdentityChange, IdentityOutcome } from '../../model/identity.ts';
import type { Instant } from '../../model/ids.ts';
import { applyIdentityChange } from '../identity/change-identity.ts';
import type { Connection } from './connection.ts';
import { runSteps } from './plain-sql.ts';
import type { Verdict } from './writer-queue.ts';

const WRITE_AUDIT = 'INSERT INTO audit (at, actor, op, subject, team_id) VALUES (?, ?, ?, ?, ?)';

/** Runs inside a write transaction, which keeps all of it or nothing. */
export function applyIdentityChanges(
  connection: Connection,
  changes: readonly IdentityChange[],
  { actor, now }: { actor: string; now: Instant },
): Verdict<IdentityOutcome> {
  for (const [index, change] of changes.entries()) {
    const applied = runSteps(connection, applyIdentityChange(change));
    if (typeof applied === 'string')
      return { keep: false, value: { outcome: 'conflict', conflict: { index, reason: applied } } };
    connection.statement(WRITE_AUDIT).run(now, actor, change.op, applied.subject, applied.teamId);
  }
  return { keep: true, value: { outcome: 'changed' } };
}
