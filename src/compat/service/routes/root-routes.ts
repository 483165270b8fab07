import { redirectTo } from './redirect-to.ts';
import { defineRoute, type ServiceRoute } from './service-route.ts';
import { follow } from './state-routes.ts';

/** What the service has outside of `/api`. */
export const ROOT_ROUTES: readonly ServiceRoute[] = [
  // where its guides say that events are
  defineRoute({ at: 'GET /sse/events', needs: 'read', handle: follow }),
  defineRoute({ at: 'GET /openapi.json', needs: null, handle: redirectTo('/openapi.json') }),
  defineRoute({ at: 'GET /api-overview', needs: null, handle: redirectTo('/docs') }),
  defineRoute({
    at: 'GET /mcp/tools',
    needs: 'read',
    handle: async ({ ports }) => ({ tools: ports.listTools(), protocol: 'mcp', version: '1.0' }),
  }),
  defineRoute({ at: 'GET /mcp/health', needs: null, handle: async () => ({ status: 'healthy', protocol: 'mcp' }) }),
];
