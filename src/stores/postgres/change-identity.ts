import type { IdentityChange, IdentityOutcome } from '../../model/identity.ts';
import type { Instant } from '../../model/ids.ts';
import { applyIdentityChange } from '../identity/change-identity.ts';
import type { Session } from './database.ts';
import { runSteps } from './plain-sql.ts';

interface IdentityRequest {
  changes: readonly IdentityChange[];
  actor: string;
  now: Instant;
  /** The same at each try: by it a try knows that an earlier one was committed although its connection broke. */
  changeId: string;
}

/** "lwho": changes of identities stand in line here, so that their audit log has no gaps and each sees what the one before it did. */
const LOCK = 0x6c77686f;
const WRITE_AUDIT =
  'INSERT INTO audit (seq, at, actor, op, subject, team_id, change_id) VALUES ($1, $2, $3, $4, $5, $6, $7)';

/** Runs inside a write transaction. */
export async function applyIdentityChanges(
  session: Session,
  schema: string,
  request: IdentityRequest,
): Promise<IdentityOutcome> {
  const { changes, actor, now, changeId } = request;
  await session.query('SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [LOCK, schema]);
  if ((await session.query('SELECT 1 FROM audit WHERE change_id = $1', [changeId])).count > 0)
    return { outcome: 'changed' };
  let seq = (await session.query<{ last: number | null }>('SELECT max(seq) AS last FROM audit')).rows[0]?.last ?? 0;
  session.send('SAVEPOINT changes');
  for (const [index, change] of changes.entries()) {
    const applied = await runSteps(session, applyIdentityChange(change));
    if (typeof applied === 'string') {
      session.send('ROLLBACK TO SAVEPOINT changes');
      return { outcome: 'conflict', conflict: { index, reason: applied } };
    }
    session.send(WRITE_AUDIT, [++seq, now, actor, change.op, applied.subject, applied.teamId, changeId]);
  }
  return { outcome: 'changed' };
}
