import type { Random } from '../../src/features/evaluation/seeded-random.ts';
import { SCOPES } from '../../src/model/caller.ts';
import { ROLES, type Role } from '../../src/model/identity.ts';
import type { SpaceId } from '../../src/model/ids.ts';
import type { TestApp } from '../open-test-app.ts';
import { addOAuthToken } from './add-oauth-token.ts';

const TEAMS = 5;
const PEOPLE_PER_TEAM = 3;

/** Something that proves a person to the server. */
export interface TestCredential {
  what: string;
  value: string;
  person: string;
  /** Set: it opens this team alone. */
  team: SpaceId | null;
}

/** Who is where, as the test believes it; the server must never show more. */
export interface Tenants {
  credentials: readonly TestCredential[];
  teams: readonly SpaceId[];
  mayRead(credential: TestCredential, space: SpaceId): boolean;
  mayWrite(credential: TestCredential, space: SpaceId): boolean;
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
  const roles = new Map<string, Role>();
  const suspended = new Set<string>();
  const at = (person: string, team: SpaceId): string => `${person} ${team}`;
  for (const id of people)
    await app.store.changeIdentity(
      [{ op: 'add_user', user: { id, name: id, email: null, createdAt: 1, suspendedAt: null } }],
      'test',
    );
  for (const [i, id] of teams.entries()) {
    const ownerId = people[i * PEOPLE_PER_TEAM]!;
    await app.store.changeIdentity(
      [{ op: 'add_team', team: { id, name: `tenant-${i}`, ownerId, createdAt: 1 } }],
      'test',
    );
    roles.set(at(ownerId, id), 'owner');
  }
  const tenants: Tenants = {
    credentials: await makeCredentials(app, people, teams),
    teams,
    isSuspended: (person) => suspended.has(person),
    mayRead: ({ person, team }, space) =>
      !suspended.has(person) && (team ?? space) === space && (space === person || roles.has(at(person, space))),
    mayWrite: (credential, space) =>
      tenants.mayRead(credential, space) && roles.get(at(credential.person, space)) !== 'reader',
    async stir(random) {
      const [person, team] = [pick(people, random), pick(teams, random)];
      if (random() < 0.2) {
        const suspendedAt = suspended.has(person) ? null : 1;
        await app.store.changeIdentity([{ op: 'update_user', id: person, suspendedAt }], 'test');
        if (suspendedAt === null) suspended.delete(person);
        else suspended.add(person);
      } else if (roles.get(at(person, team)) === 'owner') {
        return;
      } else if (roles.has(at(person, team)) && random() < 0.5) {
        await app.store.changeIdentity([{ op: 'remove_member', teamId: team, userId: person, at: 1 }], 'test');
        roles.delete(at(person, team));
      } else {
        const role = pick(ROLES.slice(0, 3), random);
        await app.store.changeIdentity(
          [{ op: 'put_member', membership: { teamId: team, userId: person, role, joinedAt: 1 } }],
          'test',
        );
        roles.set(at(person, team), role);
      }
      await app.streams.lookNow();
    },
  };
  for (let i = 0; i < 20; i++) await tenants.stir(() => ((i * 7919) % 1000) / 1000);
  return tenants;
}

/** Everybody has a token and a program; every second one also a program that was let into one team alone, whether they are in it or not. */
async function makeCredentials(
  app: TestApp,
  people: readonly string[],
  teams: readonly SpaceId[],
): Promise<TestCredential[]> {
  const made: TestCredential[] = [];
  for (const [i, person] of people.entries()) {
    made.push({ what: 'token', value: (await app.addToken(SCOPES, person)).value, person, team: null });
    made.push({
      what: 'program',
      value: await addOAuthToken(app, { userId: person, teamId: null }),
      person,
      team: null,
    });
    const team = teams[i % teams.length]!;
    if (i % 2 === 0)
      made.push({
        what: `program in ${team}`,
        value: await addOAuthToken(app, { userId: person, teamId: team }),
        person,
        team,
      });
  }
  return made;
}
