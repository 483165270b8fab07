import type { Instant } from '../../model/ids.ts';
import type { Connection } from './connection.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import type { WriterQueue } from './writer-queue.ts';

export interface LeaseRequest {
  name: string;
  holder: string;
  until: Instant;
  now: Instant;
}

export async function takeLease(
  connection: Connection,
  queue: WriterQueue,
  { name, holder, until, now }: LeaseRequest,
): Promise<boolean> {
  // Most askers find it taken; they need not queue for the write lock to learn that.
  const current = await retryWhileBusy(
    () =>
      connection.statement('SELECT holder, until FROM leases WHERE name = ?').get(name) as
        | { holder: string; until: Instant }
        | undefined,
  );
  if (current !== undefined && current.holder !== holder && current.until > now) return false;
  return queue.write(() => {
    const taken = connection
      .statement(
        `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE holder = excluded.holder OR until <= ?`,
      )
      .run(name, holder, until, now);
    return { keep: true, value: taken.changes > 0 };
  });
}

export async function releaseLease(
  connection: Connection,
  queue: WriterQueue,
  { name, holder }: { name: string; holder: string },
): Promise<void> {
  await queue.write(() => {
    connection.statement('DELETE FROM leases WHERE name = ? AND holder = ?').run(name, holder);
    return { keep: true, value: null };
  });
}
