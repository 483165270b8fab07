import { readTombstones, type Tombstones } from '../../engine/rejections/take-tombstones.ts';
import { type Caller, OWNER_USER, ownerOf } from '../../model/caller.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { Config } from '../../settings/config.ts';
import { createLog } from '../../settings/log.ts';
import type { Databases, Engines } from '../../verbs/machine.ts';

/** Of every space of a database; spaces in which nothing was purged or rejected are left out. */
export async function readAllTombstones(machine: Databases, db: string): Promise<Map<SpaceId, Tombstones>> {
  const store = await machine.openStore(db, { log: createLog('error') });
  try {
    const all = new Map<SpaceId, Tombstones>();
    for (const space of await store.listSpaces()) {
      const found = await readTombstones(store, space);
      if (found.graves.length + found.rejections.length > 0) all.set(space, found);
    }
    return all;
  } finally {
    await store.close();
  }
}

/** In a database to which an earlier state was put back. Returns how many records went. */
export async function applyTombstones(
  machine: Engines,
  config: Config,
  all: ReadonlyMap<SpaceId, Tombstones>,
): Promise<number> {
  if (all.size === 0) return 0;
  const engine = await machine.openEngine(config, createLog('error'));
  try {
    let gone = 0;
    for (const [space, found] of all) {
      const within = { space, spaces: [space], roles: ownerOf([space]) };
      const caller: Caller = { userId: OWNER_USER, ...within, scopes: new Set(['admin']), door: 'job' };
      const { purged, withdrawn } = await engine.takeTombstones(caller, found);
      gone += purged + withdrawn;
    }
    return gone;
  } finally {
    await engine.close();
  }
}
