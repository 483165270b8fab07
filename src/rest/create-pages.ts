import { Hono } from 'hono';
import type { ServerEnv } from './check-token.ts';
import type { Mount } from './mount.ts';

/** What a page may know of a request. */
export interface PageCall {
  param(name: string): string;
  query(name: string): string | undefined;
}

/** Pages that anybody may see, by their paths below the mount's; `otherwise` answers at every other path. */
export function createPages(
  pages: Readonly<Record<string, (asked: PageCall) => Response | Promise<Response>>>,
  otherwise?: () => Response,
): Mount['app'] {
  const app = new Hono<ServerEnv>();
  for (const [path, answer] of Object.entries(pages))
    app.get(path, async (c) =>
      answer({ param: (name) => c.req.param(name as never) as unknown as string, query: (name) => c.req.query(name) }),
    );
  return otherwise === undefined ? app : app.all('*', otherwise);
}
