import type { ReadDocument } from '../document.ts';
import { readMarkdown } from './read-markdown.ts';

/** Underlined titles, as in reStructuredText, are headings; the rest is paragraphs. */
export function readText(source: string, name: string): Omit<ReadDocument, 'format' | 'warnings'> {
  if (/\.rst$/i.test(name)) return { ...readMarkdown(source), tags: [] };
  const text = source.replace(/^\uFEFF/, '');
  return { title: null, tags: [], pages: null, sections: [{ headings: [], text, line: 1 }] };
}
