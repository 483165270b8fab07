import type { Hono } from 'hono';
import type { ServerEnv } from './check-token.ts';

/** A part of the server with a path of its own. */
export interface Mount {
  path: string;
  app: Hono<ServerEnv>;
}
