import { randomUUID } from 'node:crypto';
import {
  type AuthInfo,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

const MAX_SESSIONS = 1000;
const IDLE_MS = 30 * 60_000;

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  userId: string;
  usedAt: number;
  close(): Promise<void>;
}

interface Given {
  authInfo: AuthInfo;
  parsedBody?: unknown;
}

/** Where several processes answer at one address: which part of the sessions this one may keep, and how their ids tell that it does. */
export interface KeptSessions {
  share?: number;
  mark?(id: string): string;
}

/** Sessions of 2025-era clients. Bounded; the longest unused goes first. A session answers only the user who opened it: to others it does not exist. */
export function createSessionTable(
  factory: McpServerFactory,
  { onerror, share = 1, mark = (id) => id }: KeptSessions & { onerror(error: Error): void },
) {
  const most = Math.ceil(MAX_SESSIONS * share);
  const sessions = new Map<string, Session>();

  async function drop(id: string): Promise<void> {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.close().catch(onerror);
  }

  async function makeRoom(now: number): Promise<void> {
    // insertion order is order of use: `touch` moves a session to the end
    for (const [id, session] of sessions) {
      if (now - session.usedAt < IDLE_MS && sessions.size < most) return;
      await drop(id);
    }
  }

  function touch(id: string, session: Session): void {
    session.usedAt = Date.now();
    sessions.delete(id);
    sessions.set(id, session);
  }

  async function open(userId: string, request: Request): Promise<Session> {
    await makeRoom(Date.now());
    const server = await factory({ era: 'legacy', requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => mark(randomUUID()),
      onsessioninitialized: (id) => touch(id, session),
      onsessionclosed: (id) => drop(id),
    });
    const session: Session = { transport, userId, usedAt: Date.now(), close: () => server.close() };
    await server.connect(transport);
    return session;
  }

  return {
    async handle(request: Request, given: Given): Promise<Response> {
      const id = request.headers.get('mcp-session-id');
      if (id === null) {
        const session = await open(given.authInfo.clientId, request);
        const response = await session.transport.handleRequest(request, given);
        if (session.transport.sessionId === undefined) await session.close();
        return response;
      }
      const session = sessions.get(id);
      if (session === undefined || session.userId !== given.authInfo.clientId) return noSuchSession();
      touch(id, session);
      return session.transport.handleRequest(request, given);
    },
    async close(): Promise<void> {
      await Promise.all([...sessions.keys()].map(drop));
    },
  };
}

function noSuchSession(): Response {
  const error = { code: -32001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}
