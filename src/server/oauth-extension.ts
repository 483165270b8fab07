import { createOrigins, describeResource, isResourcePath } from '../auth/oauth/oauth-origins.ts';
import { createOAuthTokens } from '../auth/oauth/oauth-tokens.ts';
import { messagePage } from '../pages/message-page.ts';
import { maskPath } from './check-token.ts';
import type { ExtensionPorts, ServerExtension } from './compose-http.ts';
import { createOAuthFront } from './oauth-front.ts';
import { sendJson, sendPage } from './oauth-pages.ts';
import { answerOrigin, beginAnswer, DISCOVERY, pathOf } from './oauth-request.ts';
import { systemClock } from './system-clock.ts';

const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

/** People let programs in: OAuth 2.1 with discovery, registration, consent and device codes. Nothing of it is loaded before the first request asks. */
export function oauthExtension(shared: ExtensionPorts): ServerExtension {
  const { config, store, log } = shared;
  if (!config.oauth) return {};
  const origins = createOrigins({ externalUrl: config.externalUrl, ownUrl: shared.url });
  const answer = createOAuthFront(shared, origins);
  return {
    credentials: [createOAuthTokens({ store, clock: systemClock, audience: origins.audience })],
    resourceMetadataUrl(request) {
      const origin = origins.resourceOriginFor(request.headers.get('host') ?? '');
      const path = /^\/mcp(\/sse)?(?=\/|$)/.exec(new URL(request.url).pathname)?.[0] ?? '';
      return origin === null ? null : `${origin}${RESOURCE_METADATA}${path}`;
    },
    listener(request, response) {
      const host = request.headers.host ?? '';
      const path = pathOf(request);
      const issuer = origins.issuerFor(host);
      const resource = path.startsWith(RESOURCE_METADATA) ? path.slice(RESOURCE_METADATA.length) : null;
      const isMetadata = resource !== null && isResourcePath(resource);
      if (issuer === null || !(isMetadata || path.startsWith('/oauth/') || DISCOVERY.test(path))) return false;
      beginAnswer(request, response, { log, isHttps: issuer.startsWith('https:') });
      if (answerOrigin(request, response, config.allowedOrigins)) return true;
      if (isMetadata) {
        sendJson(response, describeResource(origins.resourceOriginFor(host) ?? issuer, resource, issuer));
        return true;
      }
      answer(request, response, issuer).catch((error: unknown) => {
        log.error('oauth_failed', { path: maskPath(path), message: String(error) });
        if (!response.headersSent)
          sendPage(response, messagePage('Something went wrong', 'The server could not finish this. Try again.'), 500);
      });
      return true;
    },
  };
}
