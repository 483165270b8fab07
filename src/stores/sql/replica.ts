import { randomBytes } from 'node:crypto';
import { type Instant, newReplicaId, type ReplicaId } from '../../model/ids.ts';
import { find, type SqlDatabase, send } from './statements.ts';

/** Who this database is among others, and which numbering its feed's positions belong to. Both are new for a copy. */
export interface Replica {
  id: ReplicaId;
  epoch: string;
}

/** Made where the tables have been emptied. */
export async function ensureReplica(database: SqlDatabase, now: Instant): Promise<Replica> {
  const read = () => database.read('no_space', () => find<Replica>('SELECT id, epoch FROM replica'));
  const known = await read();
  if (known !== undefined) return known;
  // Whoever comes first decides.
  const sql = 'INSERT INTO replica (one, id, epoch, created_at) VALUES (1, $1, $2, $3) ON CONFLICT DO NOTHING';
  await database.write('no_space', () => send(sql, newReplicaId(), randomBytes(8).toString('hex'), now));
  return (await read())!;
}
