import { EngineError } from '../model/errors.ts';
import type { SpaceId } from '../model/ids.ts';
import { openStore } from '../stores/open-store.ts';
import type { DistributeOptions, DistributionPlan } from '../stores/postgres/distribute.ts';
import type { IsolateOptions, Isolation } from '../stores/postgres/isolate-space.ts';
import { createLog } from './log.ts';
import { systemClock } from './system-clock.ts';

export type { DistributeOptions, DistributionPlan } from '../stores/postgres/distribute.ts';
export type { Isolation } from '../stores/postgres/isolate-space.ts';

export async function distributeDatabase(db: string, options: DistributeOptions): Promise<DistributionPlan> {
  demandPostgres(db);
  return (await import('../stores/postgres/distribute.ts')).distribute(db, options);
}

/** `who` is a space, a team's name or a person's id or address. */
export async function isolateTenant(db: string, who: string, options: IsolateOptions): Promise<Isolation> {
  demandPostgres(db);
  const space = await findSpace(db, who);
  return (await import('../stores/postgres/isolate-space.ts')).isolateSpace(db, space, options);
}

async function findSpace(db: string, who: string): Promise<SpaceId> {
  const store = await openStore(db, { clock: systemClock, log: createLog('error') });
  try {
    const team = (await store.findTeam({ id: who })) ?? (await store.findTeam({ name: who }));
    if (team !== null) return team.id;
    const user = (await store.findUser({ id: who })) ?? (await store.findUser({ email: who.toLowerCase() }));
    if (user !== null) return user.id;
    if ((await store.listSpaces()).includes(who)) return who;
  } finally {
    await store.close();
  }
  throw new EngineError('not_found', `There is no space, team or person "${who}".`, {
    hint: 'Give a team, a user id or an email; `ltm users ls` shows people.',
  });
}

function demandPostgres(db: string): void {
  if (/^postgres(ql)?:\/\//i.test(db)) return;
  throw new EngineError(
    'storage_unsupported',
    'Only a PostgreSQL database with the Citus extension can be distributed over several servers.',
    {
      hint: 'Give --db postgres://…; `ltm migrate` copies a file there.',
    },
  );
}
