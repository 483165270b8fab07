import { readForeignTime } from '../../../model/read-exact-time.ts';
import { withForeign } from './foreign-database.ts';
import { type Importer, textOr } from './imported.ts';

/** The Go `ltm` server's database: packets. People, teams and tokens are not taken over; invite people anew. */
export const packetServer: Importer = {
  name: 'ltm-server',
  about: 'the Go ltm server: its SQLite database of packets',
  recognise: ({ tables }) => tables.get('packets')?.includes('body') === true && tables.has('tokens'),
  read: ({ path }) =>
    withForeign(path, function* (database) {
      const people = new Map([...database.rows('users')].map(({ id, display }) => [String(id), textOr(display, null)]));
      for (const { id, body, created_at: at, owner_id: owner, deleted_at: deleted } of database.rows(
        'packets',
        'created_at',
      )) {
        const text = body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : String(body ?? '');
        if (deleted !== null && deleted !== undefined)
          yield { leftOut: `packet ${String(id)}`, why: 'it was deleted there' };
        else yield { packet: text, owner: people.get(String(owner)) ?? null, receivedAt: readForeignTime(at) ?? 0 };
      }
      for (const [table, one, several] of [
        ['users', 'person', 'people'],
        ['teams', 'team', 'teams'],
        ['tokens', 'token', 'tokens'],
      ] as const) {
        const count = [...database.rows(table)].length;
        if (count > 0)
          yield {
            leftOut: `${count} ${count === 1 ? one : several}`,
            why: 'create them here with `ltm users`, `ltm teams` and `ltm tokens`',
          };
      }
    }),
};
