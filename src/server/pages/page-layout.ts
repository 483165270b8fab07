import { createHash } from 'node:crypto';
import { type Html, html } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';

export interface Page {
  title: string;
  body: Html;
  /** Besides this server: where the answer to a form may lead, as a browser's policy names it. */
  formTargets?: readonly string[];
}

const BRAND = html`<p class="brand"><svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M12 3 3 7.5l9 4.5 9-4.5z"/><path d="m3 12 9 4.5 9-4.5"/><path d="m3 16.5 9 4.5 9-4.5"/></svg>ltm</p>`;

export function renderPage({ title, body }: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ltm</title>
<style>${{ markup: PAGE_STYLE }}</style>
</head>
<body>
<main>
${BRAND}
${body}
</main>
</body>
</html>
`.markup;
}

/** No script at all, no picture, no frame, one style. Pages of people's own business are kept nowhere. */
export function pageHeaders({ formTargets = [] }: Pick<Page, 'formTargets'>): Record<string, string> {
  const style = createHash('sha256').update(PAGE_STYLE).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${style}'`,
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // Not "no-referrer": browsers would then send the forms with the origin "null", which is refused.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
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
