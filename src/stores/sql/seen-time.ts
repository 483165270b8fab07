import type { SeenTime, SeenTimes } from '../../engine/ports.ts';
import type { Instant } from '../../model/ids.ts';
import { find, type SqlDatabase, write } from './statements.ts';

type Row = { believed_at: Instant; doubted_at: Instant | null; doubt_ran_ms: number };

export function createSeenTime(database: SqlDatabase): SeenTimes {
  return {
    async readTime(): Promise<SeenTime> {
      const row = await database.read('no_space', () =>
        find<Row>('SELECT believed_at, doubted_at, doubt_ran_ms FROM replica'),
      );
      return {
        believedAt: row?.believed_at ?? 0,
        doubtedAt: row?.doubted_at ?? null,
        doubtRanMs: row?.doubt_ran_ms ?? 0,
      };
    },
    async keepTime({ believedAt, doubtedAt, doubtRanMs }) {
      const keep = () =>
        write(
          'UPDATE replica SET believed_at = $1, doubted_at = $2, doubt_ran_ms = $3',
          believedAt,
          doubtedAt,
          Math.round(doubtRanMs),
        );
      await database.write('no_space', keep, { frees: true });
    },
  };
}
