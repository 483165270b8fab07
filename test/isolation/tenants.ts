import type { Random } from '../../src/evaluation/seeded-random.ts';
import { SCOPES } from '../../src/model/caller.ts';
import { ROLES, type Role } from '../../src/model/identity.ts';
import type { SpaceId } from '../../src/model/ids.ts';
import type { TestApp } from '../open-test-app.ts';

const TEAMS = 5;
const PEOPLE_PER_TEAM = 3;

/** Who is where, as the test believes it; the server must never show more. */
export interface Tenants {
  people: readonly string[];
  teams: readonly SpaceId[];
  tokenOf(person: string): string;
  roleIn(person: string, team: SpaceId): Role | undefined;
  mayRead(person: string, space: SpaceId): boolean;
  mayWrite(person: string, space: SpaceId): boolean;
  isSuspended(person: string): boolean;
  /** Somebody joins, leaves, changes role, is suspended or let in again. */
  stir(random: Random): Promise<void>;
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

/** The mark that everything in a space bears: in contents, tags, projects and labels. */
export function canaryOf(space: SpaceId): string {
  return `zq${space}zq`;
}

/** Whose marks are in this text. */
export function canariesIn(text: string): Set<SpaceId> {
  return new Set([...text.matchAll(/zq((?:team_|person)\d+)zq/g)].map((match) => match[1]!));
}

export async function makeTenants(app: TestApp): Promise<Tenants> {
  const people = Array.from({ length: TEAMS * PEOPLE_PER_TEAM }, (_, i) => `person${i}`);
  const teams = Array.from({ length: TEAMS }, (_, i) => `team_${i}`);
  const tokens = new Map<string, string>();
  const roles = new Map<string, Role>();
  const suspended = new Set<string>();
  const at = (person: string, team: SpaceId): string => `${person} ${team}`;

  for (const id of people) {
    await app.store.changeIdentity([{ op: 'add_user', user: { id, name: id, email: null, createdAt: 1, suspendedAt: null } }], 'test');
    tokens.set(id, (await app.addToken(SCOPES, id)).value);
  }
  for (const [i, id] of teams.entries()) {
    const ownerId = people[i * PEOPLE_PER_TEAM]!;
    await app.store.changeIdentity([{ op: 'add_team', team: { id, name: `tenant-${i}`, ownerId, createdAt: 1 } }], 'test');
    roles.set(at(ownerId, id), 'owner');
  }
  const tenants: Tenants = {
    people,
    teams,
    tokenOf: (person) => tokens.get(person)!,
    roleIn: (person, team) => roles.get(at(person, team)),
    isSuspended: (person) => suspended.has(person),
    mayRead: (person, space) => !suspended.has(person) && (space === person || roles.has(at(person, space))),
    mayWrite: (person, space) => tenants.mayRead(person, space) && roles.get(at(person, space)) !== 'reader',
    async stir(random) {
      const [person, team] = [pick(people, random), pick(teams, random)];
      if (random() < 0.2) {
        const suspendedAt = suspended.has(person) ? null : 1;
        await app.store.changeIdentity([{ op: 'update_user', id: person, suspendedAt }], 'test');
        if (suspendedAt === null) suspended.delete(person);
        else suspended.add(person);
        return;
      }
      if (roles.get(at(person, team)) === 'owner') return;
      if (roles.has(at(person, team)) && random() < 0.5) {
        await app.store.changeIdentity([{ op: 'remove_member', teamId: team, userId: person, at: 1 }], 'test');
        roles.delete(at(person, team));
        return;
      }
      const role = pick(ROLES.slice(0, 3), random);
      await app.store.changeIdentity([{ op: 'put_member', membership: { teamId: team, userId: person, role, joinedAt: 1 } }], 'test');
      roles.set(at(person, team), role);
    },
  };
  for (let i = 0; i < 20; i++) await tenants.stir(() => ((i * 7919) % 1000) / 1000);
  return tenants;
}
