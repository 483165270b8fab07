import { html } from './html.ts';
import type { Page } from './page-layout.ts';

/** Something to read and nothing to do. */
export function messagePage(title: string, message: string, detail: string | null = null): Page {
  const body = html`<h1>${title}</h1>
<p class="soft">${message}</p>
${detail === null ? null : html`<p class="note">${detail}</p>`}`;
  return { title, body, look: 'card' };
}
