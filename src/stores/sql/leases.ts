import type { Store } from '../../engine/ports.ts';
import type { Instant } from '../../model/ids.ts';
import type { SqlDatabase } from './sql-database.ts';
import { find, write } from './statements.ts';

export function createLeases(database: SqlDatabase): Pick<Store, 'takeLease' | 'releaseLease'> {
  return {
    async takeLease(name, holder, until, now) {
      // Most askers find it taken; they need not write to learn that.
      const current = await database.read('no_space', () =>
        find<{ holder: string; until: Instant }>('SELECT holder, until FROM leases WHERE name = $1', name),
      );
      if (current !== undefined && current.holder !== holder && current.until > now) return false;
      const taken = await database.write('no_space', () =>
        write(
          `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
           ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE leases.holder = excluded.holder OR leases.until <= $4`,
          ...[name, holder, until, now],
        ),
      );
      return taken > 0;
    },
    async releaseLease(name, holder) {
      await database.write('no_space', () => write('DELETE FROM leases WHERE name = $1 AND holder = $2', name, holder));
    },
  };
}
