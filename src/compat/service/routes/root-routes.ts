import { API_PATH } from '../../../rest/rest-env.ts';
import { defineRoute, type ServiceRoute } from './service-route.ts';

/** The document of this server is that of its own API. */
export function redirectTo(path: string): () => Promise<Response> {
  return async () => new Response(null, { status: 302, headers: { Location: `${API_PATH}${path}` } });
}

/** What the service has outside of `/api`. */
export const ROOT_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'GET /openapi.json', needs: null, handle: redirectTo('/openapi.json') }),
  defineRoute({ at: 'GET /api-overview', needs: null, handle: redirectTo('/docs') }),
  defineRoute({
    at: 'GET /mcp/tools',
    needs: 'read',
    handle: async ({ ports }) => ({ tools: ports.listTools(), protocol: 'mcp', version: '1.0' }),
  }),
  defineRoute({ at: 'GET /mcp/health', needs: null, handle: async () => ({ status: 'healthy', protocol: 'mcp' }) }),
];
