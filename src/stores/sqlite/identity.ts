import type { IdentityStore } from '../../auth/ports.ts';
import type { Clock } from '../../engine/ports.ts';
import { createIdentityReader } from '../identity/read-identity.ts';
import { applyIdentityChanges } from './change-identity.ts';
import type { Connection } from './connection.ts';
import { openPlainSql } from './plain-sql.ts';
import type { WriterQueue } from './writer-queue.ts';

export function createIdentityStore(connection: Connection, queue: WriterQueue, clock: Clock): IdentityStore {
  return {
    changeIdentity: (changes, actor) =>
      queue.write(() => applyIdentityChanges(connection, changes, { actor, now: clock.now() }), {
        weight: changes.length,
      }),
    ...createIdentityReader(openPlainSql(connection, queue)),
  };
}
