import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Accounts, OPERATOR } from '../../src/auth/accounts.ts';
import { createAccounts } from '../../src/auth/create-accounts.ts';
import type { AuthStore } from '../../src/auth/ports.ts';
import type { Log } from '../../src/engine/ports.ts';
import { loadConfig } from '../../src/features/config.ts';
import { type RunningServer, startServer } from '../../src/server/start-server.ts';
import type { Config } from '../../src/settings/config.ts';
import { systemClock } from '../../src/settings/system-clock.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { openTestBrowser, type TestBrowser, type TestPage } from './test-browser.ts';

export const PASSWORD = 'correct horse battery staple';
export const REDIRECT = 'http://127.0.0.1:7777/callback';

export interface Tokens {
  status: number;
  access_token: string;
  refresh_token: string;
  scope: string;
  expires_in: number;
  token_type: string;
  error: string;
  error_description: string;
}

export interface OAuthTest {
  url: string;
  db: string;
  ownerToken: string;
  store: AuthStore;
  accounts: Accounts;
  logged: { event: string; facts: Record<string, unknown> }[];
  browser(): TestBrowser;
  addPerson(name: string): Promise<string>;
  register(
    more?: Record<string, unknown>,
  ): Promise<{ status: number; client_id: string; client_secret: string; error: string }>;
  /** The address a program sends the browser to; `undefined` leaves a parameter out. */
  authorizeUrl(request: AuthorizeRequest): string;
  /** Signs in as this person, and stops at the question. */
  signIn(
    request: AuthorizeRequest,
    person: string,
    browser?: TestBrowser,
  ): Promise<{ page: TestPage; browser: TestBrowser }>;
  /** Allows, in a browser of the person's that stays signed in; what comes back at the program's address. */
  allow(
    request: AuthorizeRequest,
    person: string,
    fields?: Record<string, string | string[]>,
  ): Promise<URLSearchParams>;
  token(fields: Record<string, string | undefined>): Promise<Tokens>;
  /** From a browser to tokens, for one client that is registered once. */
  connect(options?: {
    person?: string;
    scope?: string;
    fields?: Record<string, string | string[]>;
  }): Promise<Tokens & { client_id: string }>;
  /** Calls a REST route that needs the scope read. */
  read(token: string): Promise<number>;
  write(token: string): Promise<number>;
  close(): Promise<void>;
}

export interface AuthorizeRequest {
  client_id: string;
  code_challenge?: string | undefined;
  redirect_uri?: string | undefined;
  [parameter: string]: string | undefined;
}

/** A whole server on a port of its own, with ada and bob, who have passwords. */
export async function openOAuthTest(
  flags: Record<string, string> = {},
  start: (config: Config, log: Log) => Promise<RunningServer> = (config, log) =>
    startServer(config, log, { createToken: true }),
): Promise<OAuthTest> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-oauth-'));
  const db = flags.db ?? join(folder, 'memory.db');
  const logged: OAuthTest['logged'] = [];
  const note = (event: string, facts: Record<string, unknown> = {}) => void logged.push({ event, facts });
  const log: Log = { info: note, warn: note, error: note };
  const config = loadConfig({
    flags: { port: '0', embedder: 'none', ...flags, db },
    env: {},
    file: join(folder, 'config.json'),
  });
  const server = await start(config, log);
  const store = await openStore(db, { clock: systemClock, log });
  const accounts = createAccounts({ identity: store, clock: systemClock, log });
  const url = server.url;
  const call = async (path: string, init: RequestInit): Promise<never> => {
    const response = await fetch(`${url}${path}`, init);
    return { status: response.status, ...((await response.json().catch(() => ({}))) as object) } as never;
  };
  const browsers = new Map<string, TestBrowser>();
  let client: ReturnType<OAuthTest['register']> | undefined;
  const test: OAuthTest = {
    url,
    db,
    ownerToken: server.token.value ?? '',
    store,
    accounts,
    logged,
    browser: () => openTestBrowser(url),
    async addPerson(name) {
      const { user, created } = await accounts.ensureUser(OPERATOR, { id: name, name, email: `${name}@example.org` });
      if (created) await accounts.setPassword(OPERATOR, user.id, PASSWORD);
      return user.id;
    },
    register: (more = {}) =>
      call('/oauth/register', postJson({ client_name: 'Probe', redirect_uris: [REDIRECT], ...more })),
    authorizeUrl(request) {
      const query = {
        response_type: 'code',
        redirect_uri: REDIRECT,
        code_challenge_method: 'S256',
        resource: `${url}/mcp`,
        state: 'xyz',
        ...request,
      };
      const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return `${url}/oauth/authorize?${new URLSearchParams(given)}`;
    },
    async signIn(request, person, browser = openTestBrowser(url)) {
      const page = await browser.visit(test.authorizeUrl(request));
      if (!page.html.includes('name="login"')) return { page, browser };
      return { page: await browser.submit(page, { action: 'password', login: person, password: PASSWORD }), browser };
    },
    async allow(request, person, fields = {}) {
      const known = browsers.get(person) ?? openTestBrowser(url);
      browsers.set(person, known);
      const { page, browser } = await test.signIn(request, person, known);
      const { url: landed } = await browser.submit(page, {
        action: 'allow',
        scope: ['read', 'write'],
        space: '',
        ...fields,
      });
      return new URL(landed).searchParams;
    },
    token: (fields) =>
      call('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams(JSON.parse(JSON.stringify(fields)) as Record<string, string>),
      }),
    async connect({ person = 'ada', scope = 'read write', fields = {} } = {}) {
      client ??= test.register();
      const { client_id } = await client;
      const { verifier, challenge } = makePkce();
      const answer = await test.allow({ client_id, code_challenge: challenge, scope }, person, fields);
      const code = answer.get('code') ?? undefined;
      return {
        client_id,
        ...(await test.token({
          grant_type: 'authorization_code',
          client_id,
          code,
          code_verifier: verifier,
          redirect_uri: REDIRECT,
        })),
      };
    },
    read: async (token) =>
      (await fetch(`${url}/api/v1/memories`, { headers: { authorization: `Bearer ${token}` } })).status,
    write: async (token) =>
      (
        await fetch(`${url}/api/v1/memories`, {
          ...postJson({ content: `note ${randomBytes(6).toString('hex')}` }),
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        })
      ).status,
    async close() {
      await store.close();
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (const name of ['ada', 'bob']) await test.addPerson(name);
  return test;
}

export function makePkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

function postJson(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
