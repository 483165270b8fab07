import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

export interface HostGuard {
  /** Is this Host header one that the server answers to? */
  allowsHost(host: string | null): boolean;
  /** May a page of this origin call? Absent means that no page does. `host` has been allowed before. */
  allowsOrigin(origin: string | null, host: string): boolean;
}

export interface HostGuardOptions {
  /** The address listened on. */
  bind: string;
  /** Known only once the server listens. */
  port(): number;
  isTls?: boolean;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

/**
 * Stops a web page from reaching a local server under a name of its own (DNS rebinding): only names that cannot be
 * the page's own are answered to. A configured name without a port holds for every port.
 */
export function createHostGuard(options: HostGuardOptions): HostGuard {
  const names = ['localhost', '127.0.0.1', '[::1]', ...boundNames(options.bind)];
  return {
    allowsHost(host) {
      if (host === null) return false;
      const { name, port } = splitHost(host.toLowerCase());
      if (options.allowedHosts.includes(host.toLowerCase()) || options.allowedHosts.includes(name)) return true;
      return names.includes(name) && (port ?? (options.isTls === true ? 443 : 80)) === options.port();
    },
    allowsOrigin(origin, host) {
      if (origin === null) return true;
      const own = [`http://${host.toLowerCase()}`, `https://${host.toLowerCase()}`];
      return own.includes(origin.toLowerCase()) || options.allowedOrigins.includes(origin.toLowerCase());
    },
  };
}

export function isLoopback(bind: string): boolean {
  return bind === 'localhost' || bind === '::1' || bind === '[::1]' || /^127(\.\d{1,3}){3}$/.test(bind);
}

/** A server on every address answers to each of this machine's addresses, but to no name that DNS could give to another. */
function boundNames(bind: string): string[] {
  const wildcard = bind === '0.0.0.0' || bind === '::' || bind === '[::]';
  const addresses = wildcard ? Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)) : [bind];
  return addresses.map((address) => (isIP(address) === 6 ? `[${address.toLowerCase()}]` : address.toLowerCase()));
}

function splitHost(host: string): { name: string; port: number | null } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host);
  return { name: match?.[1] ?? host, port: match?.[2] === undefined ? null : Number(match[2]) };
}
