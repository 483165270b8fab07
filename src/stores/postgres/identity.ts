import { randomUUID } from 'node:crypto';
import type { IdentityStore } from '../../auth/ports.ts';
import type { Clock } from '../../engine/ports.ts';
import { createIdentityReader } from '../identity/read-identity.ts';
import { applyIdentityChanges } from './change-identity.ts';
import { openPlainSql } from './plain-sql.ts';
import type { Transactions } from './transactions.ts';

export function createIdentityStore(transactions: Transactions, clock: Clock): IdentityStore {
  const { write, surroundings } = transactions;
  return {
    async changeIdentity(changes, actor) {
      const request = { changes, actor, now: clock.now(), changeId: randomUUID() };
      return write('no_space', (session) => applyIdentityChanges(session, surroundings.schema, request));
    },
    ...createIdentityReader(openPlainSql(transactions)),
  };
}
