import { deleteWholeTeam } from '../../features/people/verbs/team-verbs.ts';
import { ROLES, type Team } from '../../model/identity.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import { packetError, packetJson, readObject } from './packet-json.ts';
import type { PacketHandler, PacketRoute } from './packet-route.ts';

const MOST_READ = 4096;

const create: PacketHandler = async ({ accounts, caller, request }) => {
  const body = await readObject(request, MOST_READ);
  if (typeof body?.name !== 'string') return packetError(400, 'the body must be a JSON object with a "name"');
  const { id, name, ownerId } = await accounts.createTeam(caller, body.name);
  return packetJson({ team: { id, name, owner_id: ownerId } }, { status: 201 });
};

const list: PacketHandler = async ({ accounts, caller }) => {
  const teams = await accounts.listTeams(caller);
  return { teams: teams.map(({ team }) => describeTeam(team)) };
};

function describeTeam({ id, name, ownerId, createdAt }: Team): object {
  return { id, name, owner_id: ownerId, created_at: toIsoSeconds(createdAt) };
}

const listMembers: PacketHandler = async ({ accounts, caller, params }) => {
  const members = await accounts.listMembers(caller, params.name!);
  return {
    members: members.map(({ userId, user, role, joinedAt }) => ({
      user_id: userId,
      display: user?.name ?? userId,
      role,
      joined_at: toIsoSeconds(joinedAt),
      email: user?.email ?? undefined,
    })),
  };
};

const setRole: PacketHandler = async ({ accounts, caller, params, request }) => {
  const body = await readObject(request, MOST_READ);
  const role = ROLES.find((one) => one === body?.role);
  if (role === undefined)
    return packetError(400, `the body must be a JSON object with a "role": one of ${ROLES.join(', ')}`);
  await accounts.setRole(caller, params.name!, { user: params.user!, role });
};

const transfer: PacketHandler = async ({ accounts, caller, params, request }) => {
  const body = await readObject(request, MOST_READ);
  if (typeof body?.to !== 'string')
    return packetError(400, 'the body must be a JSON object with "to": the new owner\'s user id or email');
  return { team: describeTeam(await accounts.transferTeam(caller, params.name!, body.to)) };
};

const invite: PacketHandler = async ({ accounts, caller, params, request, urlOf }) => {
  const { code, invite: made } = await accounts.createInvite(caller, params.name!);
  const url = `${urlOf(request)}/v1/invites/${code}`;
  return packetJson({ code, url, expires_at: toIsoSeconds(made.expiresAt) }, { status: 201 });
};

const remove: PacketHandler = (call) => deleteWholeTeam(call, call.caller, call.params.name!);
const leave: PacketHandler = ({ accounts, caller, params }) => accounts.leaveTeam(caller, params.name!);
const removeMember: PacketHandler = ({ accounts, caller, params }) =>
  accounts.removeMember(caller, params.name!, params.user!);

export const TEAM_ROUTES: readonly PacketRoute[] = [
  { method: 'POST', path: 'teams', handle: create },
  { method: 'GET', path: 'teams', handle: list },
  { method: 'DELETE', path: 'teams/{name}', handle: remove },
  { method: 'GET', path: 'teams/{name}/members', handle: listMembers },
  { method: 'DELETE', path: 'teams/{name}/members/{user}', handle: removeMember },
  { method: 'POST', path: 'teams/{name}/members/{user}', handle: setRole },
  { method: 'POST', path: 'teams/{name}/transfer', handle: transfer },
  { method: 'POST', path: 'teams/{name}/leave', handle: leave },
  { method: 'POST', path: 'teams/{name}/invites', handle: invite },
];
