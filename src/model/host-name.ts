import { EngineError } from './errors.ts';

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Where a server speaks to programs: what agents are given is often copied for the server itself. */
const ENDPOINT = /\/(mcp|sse|api\/v1)\/?(\?[^#]*)?$/;

/** A server's address as it is kept and compared: a scheme, no endpoint, no trailing slash. `example.com` means https, `localhost:8000` http. */
export function readHost(text: string): string {
  const trimmed = text.trim().replace(ENDPOINT, '').replace(/\/+$/, '');
  const full = /^https?:\/\//i.test(trimmed)
    ? trimmed
    : `${LOCAL.test(trimmed.split('/')[0] ?? '') ? 'http' : 'https'}://${trimmed}`;
  const url = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? null : URL.parse(full);
  if (trimmed === '' || url === null || url.username + url.password + url.search + url.hash !== '')
    throw new EngineError('invalid_input', 'This is not the URL of a server.', {
      hint: 'Give a URL such as https://memory.example.com.',
      details: { field: 'host' },
    });
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
