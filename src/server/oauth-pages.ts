import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OAuthPages } from '../auth/oauth/create-oauth-server.ts';
import type { EngineError } from '../model/errors.ts';
import { deviceCodePage } from '../pages/device-page.ts';
import { messagePage } from '../pages/message-page.ts';
import { type Page, pageHeaders, renderPage } from '../pages/page-layout.ts';
import { ERROR_STATUS } from '../rest/error-response.ts';
import { isPage } from './oauth-request.ts';

/** The engine's names for what can be wrong with a device code. */
const CODE_PROBLEMS: Record<string, string> = {
  NoCodeError: 'Type the code first.',
  NotFoundError: 'This code does not exist. Check it, or start again on the device.',
  ExpiredError: 'This code has expired. Start again on the device.',
  AlreadyUsedError: 'This code was already used. Start again on the device.',
  AbortedError: 'The device was not authorized.',
  InvalidRequest: 'This page has expired, or the browser does not keep cookies. Check the code and try again.',
};

const UNKNOWN_CLIENT =
  'This server does not know the program, or has removed it. Remove the connection in the program, then connect again.';

/** What the engine's own steps show. `prefilled` holds codes that came with the address. */
export function createOAuthPages(prefilled: WeakMap<IncomingMessage, string>): OAuthPages {
  type Context = Parameters<OAuthPages['showProblem']>[0];
  const show = (ctx: Context, page: Page): void => {
    ctx.set(pageHeaders(page));
    ctx.body = renderPage(page);
  };
  return {
    showProblem(ctx, { error, error_description: detail }) {
      const advice =
        error === 'invalid_client'
          ? UNKNOWN_CLIENT
          : 'Go back to the program and start again. If the problem persists, send the text below to its developers.';
      show(ctx, messagePage('The request failed', advice, `${error}: ${detail ?? ''}`));
    },
    askDeviceCode(ctx, problem) {
      const { session, params } = ctx.oidc;
      const typed = params?.user_code;
      const csrf = (session?.state as { secret?: string } | undefined)?.secret ?? '';
      const code =
        problem === 'AbortedError' ? '' : (prefilled.get(ctx.req) ?? (typeof typed === 'string' ? typed : ''));
      const shown =
        problem === undefined ? null : (CODE_PROBLEMS[problem] ?? 'This did not work. Start again on the device.');
      show(ctx, deviceCodePage({ csrf, code: code.slice(0, 12), problem: shown }));
    },
    showFailure(ctx, error) {
      const { status, title, body } = describeFailure(error);
      ctx.status = status;
      if (isPage(ctx.path)) show(ctx, messagePage(title, error.message, error.hint));
      else ctx.body = body;
    },
    showDeviceDone: (ctx, clientName) =>
      show(ctx, messagePage('Done', `${clientName} is connected. You can close this page and go back to the device.`)),
  };
}

interface Failure {
  status: number;
  title: string;
  /** As OAuth has it. */
  body: { error: string; error_description: string };
}

/** What the store cannot do, as every other door says it. */
function describeFailure(error: EngineError): Failure {
  const [status, title] = ERROR_STATUS[error.code];
  const word = status === 500 ? 'server_error' : 'temporarily_unavailable';
  return { status, title, body: { error: word, error_description: error.message } };
}

export function sendFailure(response: ServerResponse, path: string, error: EngineError): void {
  const { status, title, body } = describeFailure(error);
  if (isPage(path)) sendMessage(response, status, title, error.message, error.hint);
  else sendJson(response, body, status);
}

export function sendPage(response: ServerResponse, page: Page, status = 200): void {
  response.writeHead(status, pageHeaders(page)).end(renderPage(page));
}

export function sendMessage(
  response: ServerResponse,
  status: number,
  ...message: Parameters<typeof messagePage>
): void {
  sendPage(response, messagePage(...message), status);
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));
}
