import { lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';

/**
 * For connections to an address that a stranger chose: the name is resolved once, when the connection is made, so that it cannot change its mind
 * in between. Every address of the name must be welcome: one bad among several is a trick, not a choice.
 */
export function guardedLookup(isWelcome: (ip: string) => boolean, refuse: () => Error): LookupFunction {
  return (host, options, done) => {
    resolveName(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const first = addresses[0];
      if (first === undefined || !addresses.every(({ address }) => isWelcome(address))) return done(refuse(), '', 0);
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}
