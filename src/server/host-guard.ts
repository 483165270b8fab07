import { isIP } from 'node:net';
import { hostname } from 'node:os';

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

/** Nobody can point these at another machine, so no page can have one of them for a name of its own; a tunnel may have changed the port. */
const LOOPBACK_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Stops a web page from reaching a local server under a name of its own (DNS rebinding): only names that cannot be
 * the page's own are answered to. A configured name without a port holds for every port.
 */
export function createHostGuard(options: HostGuardOptions): HostGuard {
  const ownName = nameOf(options.bind);
  const isEverywhere = ['0.0.0.0', '::', '[::]'].includes(options.bind);
  return {
    allowsHost(host) {
      if (host === null) return false;
      const { name, port } = splitHost(host.toLowerCase());
      if (options.allowedHosts.includes(host.toLowerCase()) || options.allowedHosts.includes(name)) return true;
      if (LOOPBACK_NAMES.includes(name)) return true;
      if (isEverywhere) return isOwnName(name);
      return name === ownName && (port ?? (options.isTls === true ? 443 : 80)) === options.port();
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

/**
 * On every address of the machine, perhaps behind a router or a container's port that has another number: any address will do, since a page's own name is
 * never one, and so does what the machine calls itself.
 */
function isOwnName(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || name === hostname().toLowerCase();
}

function nameOf(bind: string): string {
  return isIP(bind) === 6 ? `[${bind.toLowerCase()}]` : bind.toLowerCase();
}

/** What is no name with a port is all name, and nobody's. */
function splitHost(host: string): { name: string; port: number | null } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host);
  const port = match?.[2] === undefined ? null : Number(match[2]);
  return match === null || (port ?? 0) > MAX_PORT ? { name: host, port: null } : { name: match[1]!, port };
}

const MAX_PORT = 65_535;
