import { createHash } from 'node:crypto';
import { matchHidden, unifyLineBreaks } from '../../model/hidden-characters.ts';
import { PAGE_STYLE } from './page-style.ts';

const STYLE_HASH = `'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`;

export interface PageParts {
  title: string;
  /** HTML; every text in it has gone through `escapeHtml`. */
  body: string;
  status?: number;
  hasForm?: boolean;
}

/** No script, nothing from elsewhere, not in a frame, not in an index, not in a cache: it can be taken back at any time. */
export function page({ title, body, status = 200, hasForm = false }: PageParts): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
  const formAction = hasForm ? "'self'" : "'none'";
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_HASH}; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
      'X-Robots-Tag': 'noindex, nofollow',
      'Cache-Control': 'private, no-store',
      // With no-referrer a browser sends its own form with `Origin: null`, which is refused.
      'Referrer-Policy': hasForm ? 'same-origin' : 'no-referrer',
    },
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Removed, all classes: a reader must see what is there, and a browser shows none of it. */
const HIDDEN = matchHidden();

export function escapeHtml(text: string): string {
  return unifyLineBreaks(text)
    .replace(HIDDEN, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Text with `code` in backquotes shown as code; everything else stands as it was written. */
export function proseHtml(text: string): string {
  return escapeHtml(text).replace(/`([^`\n]+)`/g, '<code>$1</code>');
}
