import { hiddenInNames } from '../../model/hidden-characters.ts';
import { isObject } from '../../model/json-text.ts';
import { isListOfTexts } from '../../model/tags.ts';
import { LOOPBACK } from './oauth-origins.ts';

/** What a client says of itself, as RFC 7591 names it. Whatever is not listed here is left out. */
export interface ClientDescription {
  client_id?: string;
  client_name?: string;
  client_uri?: string;
  logo_uri?: string;
  redirect_uris: string[];
  grant_types?: string[];
  response_types?: string[];
  token_endpoint_auth_method: string;
  application_type: 'web' | 'native';
}

export type ClientFault = { error: 'invalid_redirect_uri' | 'invalid_client_metadata'; message: string };

/** Schemes without a dot that belong to known editors. */
const EDITOR_SCHEMES = new Set(['cursor:', 'vscode:', 'vscode-insiders:']);
const REDIRECT_RULE =
  'Addresses must be https, http on this machine, or a private-use scheme; without fragment, user or password.';
const MAX_REDIRECTS = 20;
const MAX_URI_CHARS = 2000;
const MAX_NAME_CHARS = 100;
const TEXTS = ['client_id', 'client_name', 'client_uri', 'logo_uri', 'token_endpoint_auth_method'] as const;
const LISTS = ['grant_types', 'response_types'] as const;

/** Registered clients and those with a document of their own are held to the same rules. */
export function readClient(raw: unknown): ClientDescription | ClientFault {
  if (!isObject(raw)) return fault('The client metadata must be a JSON object.');
  const uris = raw.redirect_uris;
  if (!isListOfTexts(uris) || uris.length === 0 || uris.length > MAX_REDIRECTS)
    return fault(`redirect_uris must be a list of 1 to ${MAX_REDIRECTS} addresses.`, 'invalid_redirect_uri');
  if (!uris.every(isAllowedRedirect)) return fault(REDIRECT_RULE, 'invalid_redirect_uri');
  const kind = uris.every((uri) => uri.startsWith('https://')) ? 'web' : 'native';
  const client: ClientDescription = { redirect_uris: uris, application_type: kind, token_endpoint_auth_method: 'none' };
  for (const name of TEXTS) {
    const value = raw[name];
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string' || value.length > MAX_URI_CHARS) return fault(`${name} must be a string.`);
    client[name] = value;
  }
  for (const name of LISTS) {
    const value = raw[name];
    if (value === undefined || value === null) continue;
    if (!isListOfTexts(value)) return fault(`${name} must be a list of strings.`);
    client[name] = value;
  }
  if (client.client_name !== undefined) client.client_name = cleanName(client.client_name);
  return client;
}

/** Where codes may be sent. Only the port of a loopback address may differ from what was registered. */
export function isAllowedRedirect(uri: string): boolean {
  if (uri.length > MAX_URI_CHARS || !URL.canParse(uri) || uri.includes('#') || /[\s\\*]/.test(uri)) return false;
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '' || /^[a-z.+-]+:\/\/[^/?]*@/i.test(uri)) return false;
  if (protocol === 'https:') return !LOOPBACK.has(hostname) && hostname !== '';
  if (protocol === 'http:') return LOOPBACK.has(hostname);
  return EDITOR_SCHEMES.has(protocol) || protocol.includes('.');
}

/** A name is shown to people: no line breaks, nothing invisible, nothing that turns the text around. */
function cleanName(name: string): string {
  return name.replaceAll(new RegExp(hiddenInNames(), 'gu'), ' ').replaceAll(/ +/g, ' ').trim().slice(0, MAX_NAME_CHARS);
}

function fault(message: string, error: ClientFault['error'] = 'invalid_client_metadata'): ClientFault {
  return { error, message };
}
