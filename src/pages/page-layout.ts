import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import { type Html, html } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';

export interface Page {
  title: string;
  body: Html;
  /** One thing to do or to know, something to read, or a reference with a menu beside it. */
  look: 'card' | 'article' | 'reference';
  /** Set where the page has a form: besides this server, where its answer may lead, as a browser's policy names it. */
  formTargets?: readonly string[];
}

export const BRAND = html`<p class="brand"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 3 3 7.5l9 4.5 9-4.5z"/><path d="m3 12 9 4.5 9-4.5"/><path d="m3 16.5 9 4.5 9-4.5"/></svg>ltm</p>`;

export function renderPage({ title, body, look }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title} · ltm</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body class="${look}">
${look === 'reference' ? body : html`<main>\n${BRAND}\n${body}\n</main>`}
</body>
</html>
`.toString();
}

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** No script at all, no picture, no frame, one style; in no index and no cache: what a page shows is somebody's own, or can be taken back. */
export function pageHeaders({ formTargets }: Pick<Page, 'formTargets'>): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${formTargets === undefined ? "'none'" : ["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow',
    // With "no-referrer" browsers send a page's own form with the origin "null", which is refused.
    'Referrer-Policy': formTargets === undefined ? 'no-referrer' : 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  };
}

export function pageResponse(page: Page, status = 200): Response {
  return new Response(renderPage(page), { status, headers: pageHeaders(page) });
}

/** Browsers follow a form's answer only where the page allows it; a program's address must therefore be named. */
export function formTarget(redirectUri: string): string[] {
  const { protocol, origin, hostname } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') return [protocol];
  // A policy cannot name an IPv6 address.
  if (hostname.startsWith('[')) return ['http:'];
  // A program on this machine may send the browser on to a page that says "done".
  return protocol === 'http:' ? [origin, 'https:'] : [origin];
}
