import { html as escapeInto } from 'hono/html';
import { matchHidden, unifyLineBreaks } from '../model/hidden-characters.ts';

export type Html = ReturnType<typeof escapeInto>;

/** All classes: a reader must see what is there, and a browser shows none of it. */
const HIDDEN = matchHidden();

/** Hono's: whatever text is put in is escaped, and only what this function has made goes in as it is. Characters that hide or turn text are taken out before. */
export function html(texts: TemplateStringsArray, ...values: unknown[]): Html {
  return escapeInto(texts, ...values.map(showAll));
}

function showAll(value: unknown): unknown {
  if (typeof value === 'string') return unifyLineBreaks(value).replace(HIDDEN, '');
  return Array.isArray(value) ? value.map(showAll) : value;
}

/** Text with `code` in backquotes shown as code; everything else stands as it was written. */
export function prose(text: string): Html {
  return html`${text.split(/`([^`\n]+)`/).map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
}
