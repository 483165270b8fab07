import type { Membership, Role, Team, User } from '../../model/identity.ts';
import { ROLES } from '../../model/identity.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import { deleteWholeTeam } from '../../verbs/people/teams.ts';
import { packetError } from './packet-error.ts';
import { noContent, packetJson, readObject } from './packet-json.ts';
import type { PacketCall, PacketRoute } from './packet-route.ts';

const MOST_READ = 4096;

export const TEAM_ROUTES: readonly PacketRoute[] = [
  { method: 'POST', path: 'teams', access: 'bearer', handle: create },
  { method: 'GET', path: 'teams', access: 'bearer', handle: list },
  { method: 'DELETE', path: 'teams/{name}', access: 'bearer', handle: remove },
  { method: 'GET', path: 'teams/{name}/members', access: 'bearer', handle: listMembers },
  { method: 'DELETE', path: 'teams/{name}/members/{user}', access: 'bearer', handle: removeMember },
  { method: 'POST', path: 'teams/{name}/members/{user}', access: 'bearer', handle: setRole },
  { method: 'POST', path: 'teams/{name}/transfer', access: 'bearer', handle: transfer },
  { method: 'POST', path: 'teams/{name}/leave', access: 'bearer', handle: leave },
  { method: 'POST', path: 'teams/{name}/invites', access: 'bearer', handle: invite },
];

async function create({ ports, caller, request }: PacketCall): Promise<Response> {
  const body = await readObject(request, MOST_READ);
  if (typeof body?.name !== 'string') return packetError(400, 'the body must be a JSON object with a "name"');
  const { id, name, ownerId } = await ports.accounts.createTeam(caller, body.name);
  return packetJson({ team: { id, name, owner_id: ownerId } }, { status: 201 });
}

async function list({ ports, caller }: PacketCall): Promise<Response> {
  const teams = await ports.accounts.listTeams(caller);
  return packetJson({ teams: teams.map(({ team }) => describeTeam(team)) });
}

function describeTeam({ id, name, ownerId, createdAt }: Team): object {
  return { id, name, owner_id: ownerId, created_at: toIsoSeconds(createdAt) };
}

async function remove({ ports, caller, params }: PacketCall): Promise<Response> {
  await deleteWholeTeam(ports, caller, params.name!);
  return noContent();
}

async function listMembers({ ports, caller, params }: PacketCall): Promise<Response> {
  const members = await ports.accounts.listMembers(caller, params.name!);
  return packetJson({ members: members.map(describeMember) });
}

function describeMember({ userId, user, role, joinedAt }: Membership & { user: User | null }): object {
  return {
    user_id: userId,
    display: user?.name ?? userId,
    role,
    joined_at: toIsoSeconds(joinedAt),
    email: user?.email ?? undefined,
  };
}

async function removeMember({ ports, caller, params }: PacketCall): Promise<Response> {
  await ports.accounts.removeMember(caller, params.name!, params.user!);
  return noContent();
}

async function setRole({ ports, caller, params, request }: PacketCall): Promise<Response> {
  const body = await readObject(request, MOST_READ);
  const role = ROLES.find((one) => one === body?.role) satisfies Role | undefined;
  if (role === undefined)
    return packetError(400, `the body must be a JSON object with a "role": one of ${ROLES.join(', ')}`);
  await ports.accounts.setRole(caller, params.name!, { user: params.user!, role });
  return noContent();
}

async function transfer({ ports, caller, params, request }: PacketCall): Promise<Response> {
  const body = await readObject(request, MOST_READ);
  if (typeof body?.to !== 'string')
    return packetError(400, 'the body must be a JSON object with "to": the new owner\'s user id or email');
  return packetJson({ team: describeTeam(await ports.accounts.transferTeam(caller, params.name!, body.to)) });
}

async function leave({ ports, caller, params }: PacketCall): Promise<Response> {
  await ports.accounts.leaveTeam(caller, params.name!);
  return noContent();
}

async function invite({ ports, caller, params, request }: PacketCall): Promise<Response> {
  const { code, invite: made } = await ports.accounts.createInvite(caller, params.name!);
  return packetJson(
    { code, url: `${ports.urlOf(request)}/v1/invites/${code}`, expires_at: toIsoSeconds(made.expiresAt) },
    { status: 201 },
  );
}
