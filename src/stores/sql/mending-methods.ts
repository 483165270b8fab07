import type { Condition, Housekeeping, Repair } from '../../engine/ports.ts';
import { countNext } from './count-labels.ts';
import { coverNext } from './cover-rows.ts';
import { dropSpace } from './drop-space.ts';
import { inspect } from './inspect.ts';
import { mendSpace, recount, salvage } from './mend.ts';
import { mendRelations, mendVersions } from './mend-parts.ts';
import type { SqlStoreParts } from './sql-store.ts';
import { dropStrays, listLost } from './stray-rows.ts';
import { verify } from './verify.ts';

export type MendingMethods = Repair & Pick<Condition, 'inspect'> & Pick<Housekeeping, 'dropSpace'>;

/** What looks through a whole database and puts it right. */
export function createMendingMethods(parts: SqlStoreParts): MendingMethods {
  const { database, replica } = parts;
  return {
    dropSpace: (space) => dropSpace(database, space),
    async inspect(space) {
      const facts = { ...(await parts.describeDatabase()), replica: replica.id, epoch: replica.epoch };
      return { ...facts, ...(await database.read({ space }, () => inspect(space))) };
    },
    mendVersions: (space, id, given) => database.write({ space }, () => mendVersions(space, id, given)),
    mendRelations: (space, id, given) => database.write({ space }, () => mendRelations(space, id, given)),
    salvage: (space, id) => database.read({ space }, () => salvage(space, id)),
    recount: (space) => database.write({ space }, () => recount(space)),
    catchUp: async (space) => (await countNext(database, space)) && coverNext(database, space),
    async mendDerived(spaces) {
      const done = await parts.mendIndexes();
      for (const space of spaces) done.push(...(await mendSpace(database, space)));
      return done;
    },
    listLost: (space) => listLost(database, space),
    dropStrays: (space) => dropStrays(database, space),
    verify: (progress) => verify(database, parts.checkDatabase, progress),
  };
}
