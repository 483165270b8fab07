import type { Kind, NamedPassage } from '../../engine/records/kind.ts';
import { splitPassages } from '../../engine/records/split-passages.ts';
import { derivedRecordId, type RecordId } from '../../model/ids.ts';
import { hashContent, type RecordContent } from '../../model/record.ts';
import { listParts, readDocumentBody, readPlace } from './document.ts';

/** A document as a whole: what it is and which sections it has. Searches find these, under its title: a second hit for the whole would say nothing more. */
export const documentKind: Kind = {
  name: 'document',
  plural: 'documents',
  code: 10,
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  listPassages: () => [],
  derive(record) {
    const { uri, outline } = readDocumentBody(record);
    const title = record.title ?? uri;
    const content = [title, uri, ...outline].join('\n');
    return { ...record, title, content, contentHash: hashContent(content) };
  },
  findFaults({ body: { uri, parts, outline, hash, format, removed = [] } }) {
    const isSound =
      [uri, hash, format].every((text) => typeof text === 'string') && [parts, outline, removed].every(isTexts);
    return isSound ? [] : ['it does not say where it came from, or which sections it has'];
  },
  describeHit(record) {
    const body = readDocumentBody(record);
    const { uri, format, pages } = body;
    return { title: record.title, uri, format, pages, sections: listParts(body).length };
  },
  holds: (record) => readDocumentBody(record).parts,
  // foreign text is looked for, not given to sessions by itself
  listNotes: () => [],
};

/** A piece of a document under one heading: what searches find. */
export const sectionKind: Kind = {
  name: 'section',
  plural: 'sections',
  code: 11,
  partOf: 'document',
  ownVerbs: ['store', 'update', 'delete', 'restore'],
  listPassages: sectionPassages,
  claim: ({ content }) => content,
  derive: (record) => ({ ...record, title: titleOf(record), contentHash: hashContent(record.content) }),
  findFaults(record) {
    const { document, headings } = readPlace(record);
    return typeof document === 'string' && isTexts(headings) ? [] : ['it does not say which document it is of'];
  },
  describeHit(record, part) {
    const { document, title, uri, headings, page, line } = readPlace(record);
    return { document, title, uri, headings: [...headings], page, line: part === '' ? line : Number(part) };
  },
  listNotes: () => [],
};

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

const MAX_TITLE_CHARS = 200;

/** The way to it: the document, then its headings; the innermost ones where that is long. */
function titleOf(record: RecordContent): string {
  const { title, headings } = readPlace(record);
  const way = [title, ...headings.filter((heading, i) => i > 0 || heading !== title)];
  while (way.length > 2 && way.join(' › ').length > MAX_TITLE_CHARS) way.splice(1, 1);
  return way.join(' › ').slice(0, MAX_TITLE_CHARS).toWellFormed();
}

/** Each under its headings, by which it is found too; named by the line at which it begins. */
function sectionPassages(record: RecordContent): NamedPassage[] {
  const { content } = record;
  const { line } = readPlace(record);
  const above = titleOf(record);
  let at = 0;
  let lines = line ?? 0;
  return splitPassages(content).map((text) => {
    const start = content.indexOf(text, at);
    for (let i = content.indexOf('\n', at); i >= 0 && i < start; i = content.indexOf('\n', i + 1)) lines++;
    at = start;
    return { part: line === null ? '' : String(lines), text: `${above}\n${text}` };
  });
}

/** Made of where it came from, so that a space has each document of a project once. */
export function documentId(project: string | null, uri: string): RecordId {
  return derivedRecordId(`document\n${project ?? ''}\n${uri}`);
}

/** Made of the text and its headings: a section that is moved is the same, one that is changed is another. */
export function sectionId(
  document: RecordId,
  content: { headings: readonly string[]; text: string; nth: number },
): RecordId {
  return derivedRecordId(`section\n${document}\n${JSON.stringify([content.headings, content.text, content.nth])}`);
}
