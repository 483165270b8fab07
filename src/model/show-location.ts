const URL_SCHEME = /^([a-z][a-z0-9+]+):\/\//i;

/** True for the address of a database server, false for a path. */
export function isDatabaseUrl(location: string): boolean {
  return URL_SCHEME.test(location);
}

/** A database's location as it may be shown: of a server's address host, port and database alone, since the rest often holds a password. */
export function showLocation(location: string): string {
  const scheme = URL_SCHEME.exec(location)?.[1];
  if (scheme === undefined) return location;
  const url = URL.parse(location);
  return url === null ? `${scheme}://…` : `${scheme}://${url.host}${url.pathname}`;
}
