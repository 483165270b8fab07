import type {
  DistributeOptions,
  DistributionPlan,
  IsolateOptions,
  Isolation,
  RolesOptions,
  RolesPlan,
} from '../model/database-administration.ts';
import { EngineError } from '../model/errors.ts';
import type { SpaceId } from '../model/ids.ts';
import { isDatabaseUrl } from '../model/show-location.ts';
import type { Config } from '../settings/config.ts';
import { createLog } from '../settings/log.ts';
import { systemClock } from '../settings/system-clock.ts';
import { openStore } from '../stores/open-store.ts';
import { distribute } from '../stores/postgres/distribute.ts';
import { isolateSpace } from '../stores/postgres/isolate-space.ts';
import { setRoles } from '../stores/postgres/set-roles.ts';

/** A database that was named on the command line is the one that is meant, with the role in its URL. */
function administrationUrl({ db, dbAdminUrl, origin }: Config): string {
  const url = origin.db.source === 'flag' ? db : (dbAdminUrl ?? db);
  if (isDatabaseUrl(url)) return url;
  throw new EngineError('storage_unsupported', 'This command is for PostgreSQL databases.', {
    hint: 'Give --db postgres://…; `ltm migrate` copies a file there.',
  });
}

/** Who owns the tables, and who may do what with them. */
export async function setDatabaseRoles(config: Config, options: RolesOptions): Promise<RolesPlan> {
  return setRoles(administrationUrl(config), { ...options, log: createLog('error') });
}

export async function distributeDatabase(config: Config, options: DistributeOptions): Promise<DistributionPlan> {
  return distribute(administrationUrl(config), options);
}

/** `who` is a space, a team's name or a person's id or address. */
export async function isolateTenant(config: Config, who: string, options: IsolateOptions): Promise<Isolation> {
  const url = administrationUrl(config);
  const space = await findSpace(url, who);
  return isolateSpace(url, space, options);
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
