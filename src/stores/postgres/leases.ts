import type { Instant } from '../../model/ids.ts';
import type { Transactions } from './transactions.ts';

export interface LeaseRequest {
  name: string;
  holder: string;
  until: Instant;
  now: Instant;
}

export async function takeLease(
  transactions: Transactions,
  { name, holder, until, now }: LeaseRequest,
): Promise<boolean> {
  // Most askers find it taken; they need not write to learn that.
  const { rows } = await transactions.read('no_space', (session) =>
    session.query<{ holder: string; until: Instant }>('SELECT holder, until FROM leases WHERE name = $1', [name]),
  );
  const [current] = rows;
  if (current !== undefined && current.holder !== holder && current.until > now) return false;
  const taken = await transactions.write('no_space', (session) =>
    session.query(
      `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE leases.holder = excluded.holder OR leases.until <= $4`,
      [name, holder, until, now],
    ),
  );
  return taken.count > 0;
}

export async function releaseLease(
  transactions: Transactions,
  { name, holder }: { name: string; holder: string },
): Promise<void> {
  await transactions.write('no_space', (session) =>
    session.query('DELETE FROM leases WHERE name = $1 AND holder = $2', [name, holder]),
  );
}
