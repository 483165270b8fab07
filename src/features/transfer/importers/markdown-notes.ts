import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { Instant } from '../../../model/ids.ts';
import { readForeignTime } from '../../../model/read-exact-time.ts';
import { readFrontMatter } from '../../../model/read-front-matter.ts';
import { type Imported, type Importer, listOf } from './imported.ts';

/** Any folder of Markdown: an Obsidian vault, basic-memory's notes, memory folders; or one file, such as CLAUDE.md. */
export const markdownNotes: Importer = {
  name: 'markdown',
  about:
    'a folder of Markdown (an Obsidian vault, basic-memory, any notes), or one Markdown file such as CLAUDE.md or AGENTS.md',
  recognise: ({ path, isFolder }) =>
    isFolder ? [...listNotes(path)].length > 0 : /\.(?:md|markdown|mdx)$/i.test(path),
  *read({ path, isFolder }) {
    const project = isFolder ? basename(realpathSync(path)) : null;
    const files = isFolder ? [...listNotes(path)] : [path];
    const notes = files.map((file) => ({
      file,
      name: isFolder ? relative(path, file).split(sep).join('/') : basename(file),
    }));
    const names = new Map<string, string>();
    const links: { from: string; to: string; type: string; at: Instant }[] = [];
    for (const { file, name } of notes) yield* readNote({ file, name, project, names, links });
    for (const { from, to, type, at } of links) {
      const target = names.get(to.toLowerCase());
      if (target !== undefined && target !== from) yield { relation: { from, to: target, type, createdAt: at } };
    }
  },
};

const MAX_NOTE_BYTES = 1_000_000;
const MAX_DEPTH = 32;

/** Hidden folders hold what programs keep for themselves; links out of the folder are not followed. */
export function* listNotes(folder: string, depth = 0): Generator<string> {
  if (depth > MAX_DEPTH) return;
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    if (entry.isDirectory()) yield* listNotes(path, depth + 1);
    else if (entry.isFile() && /\.(?:md|markdown|mdx)$/i.test(entry.name)) yield path;
  }
}

interface Reading {
  file: string;
  name: string;
  project: string | null;
  /** What notes are called in links, in lower case, and which note is meant. */
  names: Map<string, string>;
  links: { from: string; to: string; type: string; at: Instant }[];
}

export function* readNote({ file, name, project, names, links }: Reading): Generator<Imported> {
  const { size, mtimeMs, birthtimeMs } = statSync(file);
  if (size > MAX_NOTE_BYTES) {
    yield { leftOut: name, why: `it is larger than ${MAX_NOTE_BYTES / 1000} kB` };
    return;
  }
  const { fields, body } = readFrontMatter(readFileSync(file, 'utf8'));
  const content = body.trim();
  if (content === '') {
    yield { leftOut: name, why: 'it has no text' };
    return;
  }
  const text = (key: string): string | null => [fields[key]].flat()[0] ?? null;
  const stem = basename(name).replace(/\.\w+$/, '');
  const title = text('title') ?? /^#\s+(.+)$/m.exec(content)?.[1]?.trim() ?? stem;
  const changed = Math.round(mtimeMs);
  for (const called of [
    stem,
    name.replace(/\.\w+$/, ''),
    title,
    text('permalink') ?? '',
    ...[fields.aliases ?? []].flat(),
  ])
    if (called !== '' && !names.has(called.toLowerCase())) names.set(called.toLowerCase(), name);
  for (const { to, type } of findLinks(content)) links.push({ from: name, to, type, at: changed });
  yield {
    memory: {
      id: name,
      content,
      title,
      type: text('type') ?? 'note',
      tags: [...new Set([...listOf(fields.tags), ...listOf(fields.tag), ...findTags(content)])].map((tag) =>
        tag.replace(/^#/, ''),
      ),
      metadata: { path: name },
      project: text('project') ?? project,
      author: text('author'),
      createdAt:
        readForeignTime(text('created') ?? text('created_at') ?? text('date')) ?? Math.round(birthtimeMs || mtimeMs),
      isDatedByFile: true,
      updatedAt: readForeignTime(text('updated') ?? text('modified') ?? text('updated_at')) ?? changed,
      trust: 'user',
    },
  };
}

/** None goes on behind another bracket: of many that open, none is read to the end of the text. */
const WIKILINK = /\[\[([^[\]|#^]+)(?:[#^][^[\]|]*)?(?:\|[^[\]]*)?\]\]/g;

/** `[[Note]]` mentions a note; in a list, `- depends on [[Note]]` says how, as basic-memory writes it. */
function findLinks(content: string): { to: string; type: string }[] {
  return withoutCode(content)
    .split('\n')
    .flatMap((line) => {
      const typed = /^\s*[-*]\s+([a-z][a-z_ -]{1,40}?)\s+\[\[/.exec(line)?.[1];
      return [...line.matchAll(WIKILINK)].map(([, to = '']) => ({
        to: to.trim(),
        type: typed?.replaceAll(/[ _]+/g, '-') ?? 'mentions',
      }));
    });
}

function findTags(content: string): string[] {
  return [...withoutCode(content).matchAll(/(?:^|\s)#(\p{L}[\p{L}\p{N}_/-]{1,60})(?=[\s.,;:!?)]|$)/gu)].map(
    ([, tag]) => tag!,
  );
}

function withoutCode(content: string): string {
  return content.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}
