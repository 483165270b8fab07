import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Accounts } from '../src/auth/accounts.ts';
import { createAccounts } from '../src/auth/create-accounts.ts';
import type { AuthStore } from '../src/auth/ports.ts';
import { type Caller, ownerOf, type Scope } from '../src/model/caller.ts';
import { EngineError, type ErrorCode } from '../src/model/errors.ts';
import { openStore } from '../src/stores/open-store.ts';

export interface TestAccounts {
  accounts: Accounts;
  store: AuthStore;
  clock: { at: number; now(): number };
  /** Somebody with a row in the table of users, and what they ask with. */
  person(id: string, scopes?: readonly Scope[]): Promise<Caller>;
}

/** Accounts on a database of their own; gone after the test. */
export async function openTestAccounts(context: TestContext): Promise<TestAccounts> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-accounts-'));
  const clock = { at: 1_800_000_000_000, now: () => clock.at };
  const log = { info() {}, warn() {}, error() {} };
  const store = await openStore(join(folder, 'a.db'), { clock, log });
  context.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const accounts = createAccounts({ identity: store, clock, log });
  return {
    accounts,
    store,
    clock,
    async person(id, scopes = ['read', 'write']) {
      await accounts.ensureUser('operator', { id, email: `${id}@example.org` });
      return makePerson(id, scopes);
    },
  };
}

export function makePerson(userId: string, scopes: readonly Scope[] = ['read', 'write']): Caller {
  return { userId, space: userId, spaces: [userId], roles: ownerOf([userId]), scopes: new Set(scopes), door: 'rest' };
}

/** As a token that is bound to this team would give it. */
export function boundTo(
  caller: Caller,
  teamId: string,
  role: 'reader' | 'member' | 'admin' | 'owner' = 'owner',
): Caller {
  return { ...caller, space: teamId, spaces: [teamId], roles: new Map([[teamId, role]]) };
}

export async function failsWith(code: ErrorCode, attempt: Promise<unknown>, message?: RegExp): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof EngineError, String(error));
    assert.equal(error.code, code, error.message);
    if (message !== undefined) assert.match(error.message, message);
    return true;
  });
}
