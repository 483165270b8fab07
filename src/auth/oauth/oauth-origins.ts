export const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Where MCP is served; a token for one is good at all, and for REST: they are one server. */
const RESOURCE_PATHS = ['', '/mcp', '/mcp/sse'] as const;

export interface OriginOptions {
  /** How the outside world names this server; null where nobody has said. */
  externalUrl: string | null;
  /** As it listens; known only then. */
  ownUrl(): string;
}

export interface OAuthOrigins {
  /** The issuer that a request with this Host header belongs to; null where people cannot sign in safely. */
  issuerFor(host: string): string | null;
  /** How a client that sends this Host header names the server. */
  resourceOriginFor(host: string): string | null;
  isOwnResource(identifier: string, issuer: string): boolean;
  /** What tokens of this server are for, in one form. */
  audience(): string;
}

/**
 * Passwords and codes travel over TLS or stay on the machine: on any other address there is no OAuth at all.
 * A server that nobody has named goes by each loopback name that it is called by, so that cookies and issuer agree with the address bar.
 */
export function createOrigins({ externalUrl, ownUrl }: OriginOptions): OAuthOrigins {
  const external = externalUrl === null ? null : new URL(externalUrl).origin;
  const ownOrigin = (host: string): string | null => {
    const origin = `${new URL(ownUrl()).protocol}//${host.toLowerCase()}`;
    return URL.canParse(origin) && isSafe(origin) ? new URL(origin).origin : null;
  };
  const origins: OAuthOrigins = {
    issuerFor: (host) => (external === null ? ownOrigin(host) : isSafe(external) ? external : null),
    resourceOriginFor(host) {
      const issuer = origins.issuerFor(host);
      if (issuer === null || host.toLowerCase() === new URL(issuer).host) return issuer;
      return isLoopbackHost(host) ? ownOrigin(host) : issuer;
    },
    isOwnResource(identifier, issuer) {
      if (!URL.canParse(identifier)) return false;
      const url = new URL(identifier);
      if (url.username !== '' || url.password !== '' || url.hash !== '') return false;
      if (!RESOURCE_PATHS.some((path) => path === url.pathname.replace(/\/$/, ''))) return false;
      if (url.origin === issuer) return true;
      if (!LOOPBACK.has(url.hostname) || url.origin !== ownOrigin(url.host)) return false;
      // A tunnel has a port of its own, which is the issuer's then; every other port is another program's.
      return url.port === new URL(ownUrl()).port || (isLoopbackUrl(issuer) && url.port === new URL(issuer).port);
    },
    audience: () => external ?? new URL(ownUrl()).origin,
  };
  return origins;
}

/** RFC 9728, for `path` being one of ours. */
export function describeResource(origin: string, path: string, issuer: string): Record<string, unknown> {
  return {
    resource: `${origin}${path}`,
    authorization_servers: [issuer],
    // What clients ask for unless somebody tells them otherwise.
    scopes_supported: ['read', 'write'],
    bearer_methods_supported: ['header'],
    resource_name: 'ltm',
  };
}

export function isResourcePath(path: string): path is (typeof RESOURCE_PATHS)[number] {
  return RESOURCE_PATHS.some((known) => known === path);
}

function isSafe(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || LOOPBACK.has(hostname);
}

function isLoopbackHost(host: string): boolean {
  return isLoopbackUrl(`http://${host}`);
}

function isLoopbackUrl(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.has(new URL(url).hostname);
}
