/// <reference path="./parsers.d.ts" />
import { Parser } from 'htmlparser2';
import { boundOpenTags } from '../bound-open-tags.ts';
import type { DocumentSection, ReadDocument } from '../document.ts';

const SKIPPED = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'canvas',
  'select',
  'button',
  'nav',
  'dialog',
]);
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'main',
  'header',
  'footer',
  'aside',
  'ul',
  'ol',
  'dl',
  'dt',
  'dd',
  'table',

  'thead',
  'tbody',
  'tr',
  'blockquote',
  'pre',
  'figure',
  'figcaption',
  'hr',
  'address',
  'details',
  'summary',
  'form',
]);
const HEADING = /^h[1-6]$/;

/** Text under its headings. A stream of tags, not a tree: however deep it is nested, it takes no stack. */
export function readHtml(source: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const outline = createOutline();
  let skipping: string | null = null;
  let skipDepth = 0;
  let title: string | null = null;
  let inTitle = false;
  let pre = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        boundOpenTags(parser);
        if (skipping !== null) {
          if (name === skipping) skipDepth++;
          return;
        }
        if (SKIPPED.has(name)) {
          skipping = name;
          skipDepth = 1;
        } else if (name === 'title') inTitle = title === null;
        else if (HEADING.test(name)) outline.open(Number(name[1]));
        else if (name === 'br') outline.add('\n');
        else if (name === 'li') outline.add('\n- ');
        else if (name === 'td' || name === 'th') outline.add(' | ');
        else if (BLOCKS.has(name)) outline.add(name === 'tr' || name === 'dt' || name === 'dd' ? '\n' : '\n\n');
        if (name === 'pre') pre++;
      },
      onclosetag(name) {
        if (skipping !== null) {
          if (name === skipping && --skipDepth === 0) skipping = null;
          return;
        }
        if (name === 'title') inTitle = false;
        else if (HEADING.test(name)) outline.close();
        else if (BLOCKS.has(name) && name !== 'tr') outline.add('\n\n');
        if (name === 'pre') pre = Math.max(0, pre - 1);
      },
      ontext(text) {
        if (skipping !== null) return;
        if (inTitle) title = (title ?? '') + text;
        else outline.add(pre > 0 ? text : text.replaceAll(/\s+/g, ' '));
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.write(source);
  parser.end();
  const sections = outline.end();
  const said = title === null ? '' : (title as string).replaceAll(/\s+/g, ' ').trim();
  return { title: said || (sections[0]?.headings[0] ?? null), tags: [], pages: null, sections };
}

export interface Outline {
  /** A heading of this level begins; what is added belongs to it until it is closed. */
  open(level: number): void;
  close(): void;
  add(text: string): void;
  /** What follows stands on this page. */
  turn(page: number): void;
  end(): DocumentSection[];
}

/** As deep as headings are shown. */
const MAX_LEVELS = 8;

/** Puts text under the headings that come by. */
export function createOutline(): Outline {
  const sections: DocumentSection[] = [];
  const above: { level: number; title: string }[] = [];
  let opened: number | null = null;
  let heading = '';
  let held: string[] = [];
  let page: number | undefined;
  const flush = (): void => {
    const text = tidy(held.join(''));
    held = [];
    if (text !== '') sections.push({ headings: above.map(({ title }) => title), text, page });
  };
  return {
    open(level) {
      if (opened !== null) this.close();
      opened = level;
      heading = '';
    },
    close() {
      if (opened === null) return;
      const title = heading.replaceAll(/\s+/g, ' ').trim();
      const level = opened;
      opened = null;
      if (title === '') return;
      flush();
      while (above.length > 0 && above.at(-1)!.level >= level) above.pop();
      above.push({ level, title });
      // formats whose levels have no end would give each section all of them
      if (above.length > MAX_LEVELS) above.shift();
    },
    add(text) {
      if (opened !== null) heading += text;
      else held.push(text);
    },
    turn(next) {
      if (next === page) return;
      flush();
      page = next;
    },
    end() {
      this.close();
      flush();
      // a document of headings alone still says something
      if (sections.length === 0 && above.length > 0)
        sections.push({ headings: [], text: above.map(({ title }) => title).join('\n'), page });
      return sections;
    },
  };
}

function tidy(text: string): string {
  return text
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[ \t]*\n[ \t]*\|/g, '\n|')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^ +(?=\S)/gm, (spaces) => (spaces.length === 1 ? '' : spaces))
    .trim();
}
