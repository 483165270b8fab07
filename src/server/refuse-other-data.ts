import type { AuthStore } from '../auth/ports.ts';
import { type MovableStore, readCopiedHead } from '../engine/exchange/copy-space.ts';
import { EngineError } from '../model/errors.ts';
import type { RowSet } from '../model/transfer.ts';

type FullStore = MovableStore & AuthStore;

/** A database is filled from one other database, and only while nobody else writes to it: whatever else is in it would be lost or mixed up. */
export async function refuseOtherData(source: FullStore, target: FullStore): Promise<void> {
  const theirs = await target.transfer.readIdentityRows();
  const { replica: id } = source.transfer;
  if (id === target.transfer.replica) {
    throw new EngineError('invalid_input', 'Source and target are the same database.', {
      hint: 'Give --to another place.',
    });
  }
  const copiedFrom = findSecret(theirs, 'copied_from');
  const spaces = await target.listSpaces();
  if (copiedFrom === null) {
    const people = (theirs.users?.length ?? 0) + (theirs.teams?.length ?? 0) + (theirs.access_tokens?.length ?? 0);
    if (spaces.length > 0 || people > 0) throw holdsOtherData('It has memories or people of its own.');
    return;
  }
  if (copiedFrom !== id) throw holdsOtherData('It was filled from another database.');
  for (const space of spaces) {
    const copied = await readCopiedHead(target, space);
    if (copied === null || copied !== (await target.head(space)))
      throw holdsOtherData('It has been written to since it was filled.');
  }
}

function findSecret(rows: RowSet, name: string): string | null {
  const found = rows.server_secrets?.find((row) => row.name === name)?.value;
  return found === undefined ? null : String(found);
}

function holdsOtherData(why: string): EngineError {
  return new EngineError('conflict', `The target holds other data, and was left as it is. ${why}`, {
    hint: 'Give --to an empty database or, for PostgreSQL, another ?schema=NAME. To add memories to what is there use `ltm export` and `ltm import`.',
  });
}
