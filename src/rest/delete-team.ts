import type { Accounts } from '../auth/accounts.ts';
import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../model/caller.ts';

/** The team goes first, so that nobody reads or writes in it while its contents are deleted. */
export async function deleteTeam(
  { accounts, engine }: { accounts: Accounts; engine: Engine },
  caller: Caller,
  team: string,
): Promise<void> {
  const inside = await engine.enterTeam(caller, team);
  await accounts.removeTeam(caller, team);
  await engine.emptyTeam(inside);
}
