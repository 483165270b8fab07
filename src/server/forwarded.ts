import type { IncomingMessage } from 'node:http';
import { createNetworks, plainAddress } from '../model/networks.ts';

const HEADERS = [
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'forwarded',
  'x-real-ip',
];

/**
 * Makes what a request says of the way it came true, so that everything behind may believe it. X-Forwarded headers of a trusted proxy come out as the client's
 * one address, the scheme and the host it used (also as `Host`); anybody else's are removed. A host in the request line is removed too: the one that is checked is `Host`.
 */
export function createForwardedReader(trustedProxies: readonly string[]): (request: IncomingMessage) => void {
  const isTrusted = createNetworks(trustedProxies);
  return (request) => {
    request.url = dropAuthority(request.url ?? '/');
    const given = (name: string): string | undefined => headerText(request.headers[name]);
    const told = isTrusted(request.socket.remoteAddress ?? '')
      ? {
          address: clientAddress(given('x-forwarded-for'), isTrusted),
          proto: readProto(given('x-forwarded-proto')),
          host: lastOf(given('x-forwarded-host')),
        }
      : {};
    if (HEADERS.some((name) => name in request.headers)) removeHeaders(request);
    if (told.address !== undefined) addHeader(request, 'x-forwarded-for', told.address);
    if (told.proto !== undefined) addHeader(request, 'x-forwarded-proto', told.proto);
    if (told.host !== undefined) replaceHost(request, told.host);
  };
}

/** `GET http://other.example/path` is a path here, as it is for every origin server. */
function dropAuthority(target: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(target);
  if (match === null) return target;
  return match[1]!.startsWith('/') ? match[1]! : `/${match[1]!}`;
}

/** From the right, the first that is not one of our proxies: what stands left of it anybody may have written. */
function clientAddress(chain: string | undefined, isTrusted: (address: string) => boolean): string | undefined {
  const addresses = (chain ?? '')
    .split(',')
    .map((address) => plainAddress(address.trim()))
    .filter((address) => address !== '');
  return addresses.findLast((address) => !isTrusted(address)) ?? addresses[0];
}

function readProto(value: string | undefined): string | undefined {
  const proto = lastOf(value)?.toLowerCase();
  return proto === 'https' || proto === 'http' ? proto : undefined;
}

function lastOf(value: string | undefined): string | undefined {
  return value?.split(',').at(-1)?.trim() || undefined;
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

function removeHeaders(request: IncomingMessage): void {
  for (const name of HEADERS) delete request.headers[name];
  const raw = request.rawHeaders;
  const kept = raw.filter((_, at) => !HEADERS.includes(raw[at - (at % 2)]!.toLowerCase()));
  raw.splice(0, raw.length, ...kept);
}

function addHeader(request: IncomingMessage, name: string, value: string): void {
  request.headers[name] = value;
  request.rawHeaders.push(name, value);
}

function replaceHost(request: IncomingMessage, host: string): void {
  const raw = request.rawHeaders;
  for (let at = raw.length - 2; at >= 0; at -= 2) if (raw[at]!.toLowerCase() === 'host') raw.splice(at, 2);
  addHeader(request, 'host', host);
}
