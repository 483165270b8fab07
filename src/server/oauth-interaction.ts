import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isApiKey } from '../auth/api-key.ts';
import {
  type Exchange,
  hostOf,
  type PendingRequest,
  type Permission,
  type SignIn,
} from '../auth/oauth/authorization-requests.ts';
import type { OAuthServer } from '../auth/oauth/create-oauth-server.ts';
import { readBody } from '../auth/oauth/fetch-client-document.ts';
import { INTERACTION_PATH } from '../auth/oauth/oauth-configuration.ts';
import { ensureOwnerUser } from '../auth/owner-token.ts';
import type { Scope } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { consentPage } from '../pages/consent-page.ts';
import { formTarget } from '../pages/page-layout.ts';
import { signInPage } from '../pages/sign-in-page.ts';
import { systemClock } from '../settings/system-clock.ts';
import type { ExtensionPorts } from './extension.ts';
import { MAX_OAUTH_BODY_BYTES } from './oauth-body.ts';
import { sendMessage, sendPage } from './oauth-pages.ts';

export interface InteractionPorts extends ExtensionPorts {
  server: OAuthServer;
  /** Where the browser is. */
  address: string;
  /** What forms are signed with. */
  formKey(): Promise<string>;
}

const A_FEW = 20;
const OVER = 'This request has expired or was opened in another browser. Go back to the program and connect again.';
const STOPPED = 'The request failed';

/** The person's side: sign in, then allow or deny. A GET shows the step, a POST takes it. */
export async function answerInteraction(exchange: Exchange, ports: InteractionPorts): Promise<void> {
  const { request, response } = exchange;
  const pending = await ports.server.findRequest(request, response);
  const uid = (request.url ?? '').replace(/\?.*$/s, '').slice(INTERACTION_PATH.length);
  if (pending === null || pending.uid !== uid) return sendMessage(response, 400, 'Start again', OVER);
  // Known only to pages of this request: its id is in a cookie that other sites cannot send, and the key is the server's.
  const csrf = createHmac('sha256', await ports.formKey())
    .update(uid)
    .digest('base64url');
  if (request.method === 'GET') return showStep(exchange, ports, { pending, csrf, problem: null });
  if (request.method !== 'POST') return sendMessage(response, 405, STOPPED, 'Only GET and POST are allowed here.');
  const form = await readForm(request);
  if (form === null || !isSame(form.get('csrf') ?? '', csrf))
    return sendMessage(
      response,
      403,
      STOPPED,
      'The form was not submitted from this page. Go back to the program and connect again.',
    );
  return takeStep(exchange, ports, { pending, csrf, form });
}

interface Step {
  pending: PendingRequest;
  csrf: string;
  problem: string | null;
  login?: string;
}

async function takeStep(
  exchange: Exchange,
  ports: InteractionPorts,
  { pending, csrf, form }: Omit<Step, 'problem'> & { form: URLSearchParams },
): Promise<void> {
  const again = (problem: string | null, status = 200) =>
    showStep(exchange, ports, { pending, csrf, problem, login: form.get('login') ?? '' }, status);
  switch (actionOf(form)) {
    case 'password':
    case 'token': {
      const found = await (actionOf(form) === 'token' ? checkToken(form, ports) : checkPassword(form, ports));
      if (typeof found === 'string') return again(found, 401);
      return ports.server.signIn(exchange, found.userId, found.proof);
    }
    case 'switch':
      await ports.server.signOut(exchange);
      return showStep(exchange, ports, { pending: { ...pending, signIn: null }, csrf, problem: null });
    case 'deny':
      return ports.server.deny(exchange);
    case 'allow': {
      if (pending.signIn === null) return again('Sign in first.', 401);
      const permission = await readPermission(form, pending, ports);
      return typeof permission === 'string'
        ? again(permission, 400)
        : ports.server.allow(exchange, pending, permission);
    }
    default:
      return again(null, 400);
  }
}

/** Whoever sends a token or key by itself means to sign in with it. */
function actionOf(form: URLSearchParams): string | null {
  return form.get('action') ?? (form.has('token') || form.has('api_key') ? 'token' : null);
}

type Proven = { userId: string; proof: Parameters<OAuthServer['signIn']>[2] };

async function checkPassword(form: URLSearchParams, { accounts, address }: InteractionPorts): Promise<Proven | string> {
  try {
    const user = await accounts.checkPassword(form.get('login') ?? '', form.get('password') ?? '', address);
    if (user !== null) return { userId: user.id, proof: { by: 'password' } };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'rate_limited') throw error;
    return `${error.message} ${error.hint ?? ''}`;
  }
  return 'The name or the password is wrong.';
}

/** A person's own token says who they are, and the operator's key the owner; what a program got from a person, or what a file of the operator's names, does not. */
async function checkToken(form: URLSearchParams, ports: InteractionPorts): Promise<Proven | string> {
  const { config, store } = ports;
  const token = (form.get('token') ?? form.get('api_key') ?? '').trim();
  const result = await ports.authenticate(`Bearer ${token}`, ports.address);
  const credential = result.outcome === 'accepted' ? result.proof.credential : null;
  const isKey = credential !== null && isApiKey(credential, config.apiKey);
  if (isKey) await ensureOwnerUser({ identity: store, clock: systemClock });
  if (credential !== null && (isKey || credential.kind === 'personal'))
    return { userId: credential.userId, proof: { by: 'token', token } };
  return config.apiKey === null
    ? 'This token is not valid here.'
    : 'This is neither a token nor the key of this server.';
}

async function readPermission(
  form: URLSearchParams,
  { scopes, signIn }: PendingRequest,
  { store }: InteractionPorts,
): Promise<Permission | string> {
  const ticked = new Set(form.getAll('scope'));
  const given = giveable(scopes, signIn!).filter((scope) => ticked.has(scope));
  if (given.length === 0) return 'Choose at least one permission, or deny the request.';
  const teamId = form.get('space') || null;
  if (signIn!.teamId !== null && signIn!.teamId !== teamId) return 'Your token does not give access to this space.';
  if (teamId === null) return { scopes: given, teamId };
  const memberships = await store.listMemberships(signIn!.user.id);
  const isMember = memberships.some((membership) => membership.teamId === teamId);
  return isMember ? { scopes: given, teamId } : 'You are not in this team.';
}

async function showStep(
  { response }: Exchange,
  { store, config }: InteractionPorts,
  step: Step,
  status = 200,
): Promise<void> {
  const { pending, csrf, problem, login = '' } = step;
  const { client, signIn, redirectUri, device } = pending;
  const formTargets = redirectUri === null ? [] : formTarget(redirectUri);
  if (signIn === null) {
    const hasPasswords = await someoneHasPassword(store);
    const view = {
      clientName: client.name,
      login,
      csrf,
      problem,
      hasPasswords,
      hasKey: config.apiKey !== null,
      formTargets,
    };
    return sendPage(response, signInPage(view), status);
  }
  const scopes = giveable(pending.scopes, signIn);
  if (scopes.length === 0)
    return sendMessage(response, 403, STOPPED, 'Your token has none of the permissions that the program asks for.');
  const memberships = await store.listMemberships(signIn.user.id);
  const teams = memberships.map(({ team }) => ({ id: team.id, name: team.name }));
  const redirectHost = redirectUri === null ? null : hostOf(redirectUri);
  const userName = signIn.user.email ?? signIn.user.name;
  const shown = { client, redirectHost, device, userName, scopes, teams, onlyTeam: signIn.teamId };
  return sendPage(response, consentPage({ ...shown, csrf, problem, formTargets }), status);
}

function giveable(wanted: readonly Scope[], signIn: SignIn): Scope[] {
  return wanted.filter((scope) => signIn.scopes.includes(scope));
}

/** Where one person or a few use tokens alone, a form for passwords would lead nowhere. */
async function someoneHasPassword(store: InteractionPorts['store']): Promise<boolean> {
  const users = await store.listUsers();
  if (users.length > A_FEW) return true;
  for (const { id } of users) if ((await store.findPassword(id)) !== null) return true;
  return false;
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** null: not a form of ours. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) return null;
  const text = await readBody(request, MAX_OAUTH_BODY_BYTES);
  return text === null ? null : new URLSearchParams(text);
}
