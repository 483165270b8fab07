import { gonePage, invitePage, joinedPage } from '../../features/people/invite-page.ts';
import { EngineError } from '../../model/errors.ts';
import { FAULTS } from '../../model/failure-facts.ts';
import { toIsoSeconds } from '../../model/instant.ts';
import { pageResponse } from '../../pages/page-layout.ts';
import { packetError, packetJson, readBytes, readObject } from './packet-json.ts';
import type { OpenHandler, PacketRoute } from './packet-route.ts';

const MOST_READ = 1024;
const MOST_FORM = 4096;
const GONE = 'invite expired, already used or unknown';

const look: OpenHandler = async ({ accounts, params, request, urlOf }) => {
  const wantsPage = (request.headers.get('accept') ?? '').includes('text/html');
  const found = await accounts.peekInvite(params.code!);
  if (found === null) return wantsPage ? pageResponse(gonePage(), 410) : packetError(410, GONE);
  const { team, invite } = found;
  const expires = toIsoSeconds(invite.expiresAt);
  if (!wantsPage) return { team: { name: team.name }, role: invite.role, expires_at: expires };
  return pageResponse(invitePage({ team: team.name, expires, url: `${urlOf(request)}/v1/invites/${params.code!}` }));
};

/** A body that cannot be read costs the name in it, never the invite. */
const accept: OpenHandler = async ({ accounts, caller, params, request }) => {
  const body = await readObject(request, MOST_READ);
  const name = typeof body?.display === 'string' && body.display.trim() !== '' ? body.display : undefined;
  const accepted = await accounts.acceptInvite(caller, params.code!, { name });
  if (accepted === null) return packetError(410, GONE);
  const { user, team, token } = accepted;
  const said = { user: { id: user.id, display: user.name }, team: { id: team.id, name: team.name } };
  return packetJson({ ...said, token: token ?? undefined }, { status: 201 });
};

/**
 * Somebody without an account joins from the page. No cookie and no token takes part, so another site's form could do no more than its author
 * can without one; and pages of other origins are turned away before.
 */
const joinByForm: OpenHandler = async ({ accounts, params, request, urlOf }) => {
  const url = urlOf(request);
  const form = new URLSearchParams((await readBytes(request, MOST_FORM)).toString());
  const [name, email, password] = ['name', 'email', 'password'].map((field) => form.get(field)?.trim() || undefined);
  const found = await accounts.peekInvite(params.code!);
  if (found === null) return pageResponse(gonePage(), 410);
  const page = {
    team: found.team.name,
    expires: toIsoSeconds(found.invite.expiresAt),
    url: `${url}/v1/invites/${params.code!}`,
  };
  try {
    if (name === undefined)
      throw new EngineError('invalid_input', 'Enter your name. The other members of the team see it.');
    const accepted = await accounts.acceptInvite(null, params.code!, { name, email, password });
    if (accepted === null) return pageResponse(gonePage(), 410);
    const { team, user, token } = accepted;
    const hasPassword = password !== undefined;
    return pageResponse(joinedPage({ team: team.name, name: user.name, token: token ?? '', url, hasPassword }), 201);
  } catch (error) {
    if (!(error instanceof EngineError) || FAULTS.has(error.code)) throw error;
    return pageResponse(invitePage({ ...page, problem: error.message, name, email }), 400);
  }
};

/** What programs use, and a page for people who open the address in a browser. */
export const INVITE_ROUTES: readonly PacketRoute[] = [
  { method: 'GET', path: 'invites/{code}', access: 'public', handle: look },
  { method: 'POST', path: 'invites/{code}', access: 'public', handle: joinByForm },
  { method: 'POST', path: 'invites/{code}/accept', access: 'optional', handle: accept },
];
