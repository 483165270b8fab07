import { randomBytes } from 'node:crypto';
import { EngineError } from '../../model/errors.ts';
import { newReplicaId } from '../../model/ids.ts';
import { createLog } from '../../settings/log.ts';
import type { Databases } from '../../verbs/machine.ts';

/**
 * A database that was put back goes on as another replica in every space that is exchanged with others: its next writes must not bear the names of
 * those that were made after the backup. Where it is too damaged for that, the next exchange notices by its ticket.
 */
export async function renewReplicas(machine: Databases, db: string): Promise<void> {
  const store = await machine.openStore(db, { log: createLog('error') });
  try {
    for (const space of await store.listSpaces()) {
      if ((await store.listLinks(space)).length === 0) continue;
      const next = { replica: newReplicaId(), epoch: randomBytes(8).toString('hex') };
      await store.commit(space, [{ op: 'renew', ...next }], 'job:restore');
    }
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'storage_damaged') throw error;
  } finally {
    await store.close();
  }
}
