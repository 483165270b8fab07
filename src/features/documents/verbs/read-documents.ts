import { EngineError } from '../../../model/errors.ts';
import { toIso } from '../../../model/instant.ts';
import type { PageFacts } from '../../../model/page.ts';
import { readTags, type TagsInput } from '../../../model/tags.ts';
import { cursor, flag, integer, label, text } from '../../../verbs/field.ts';
import { FILTERS, type FilterInput, toFilter } from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { DocumentSummary } from '../document.ts';
import type { FoundDocument, GetDocumentInput, RemovedDocuments } from '../read-documents.ts';

const ref = text('The id of a document, or where it came from: a path, a URL or a name.', {
  min: 1,
  max: 2000,
  isRequired: true,
});
const project = label('The project of the document, if its name is in use in several.');

export interface ListInput extends Pick<FilterInput, 'tags' | 'tagMatch' | 'project' | 'agent' | 'after' | 'before'> {
  limit?: number;
  cursor?: string;
}

export interface ListedDocuments extends PageFacts {
  documents: DocumentSummary[];
}

const { tags, tag_match, project: inProject, agent, after, before } = FILTERS;

export const listDocuments = defineVerb<ListInput, ListedDocuments>({
  needs: 'read',
  input: {
    tags,
    tag_match,
    project: inProject,
    agent,
    after,
    before,
    limit: integer(1, 1000, 'Maximum number of results. Default: 20.'),
    cursor,
  },
  async run({ engine, caller }, { limit = 20, cursor: from, after: since, before: until, ...filter }) {
    const page = { limit, ...(from !== undefined && { cursor: from }) };
    const listed = await engine.listDocuments(caller, { filter: toFilter(filter), after: since, before: until, page });
    const { items, total, cursor: next, damaged } = listed;
    return { documents: items, total, cursor: next, ...(damaged !== undefined && { damaged }) };
  },
  rest: {
    at: 'GET /documents',
    summary: 'List documents, newest first',
    headers: ['X-Time-Zone'],
    answers: { 200: 'One page.' },
    isPaged: true,
  },
  tool: {
    name: 'memory_documents',
    family: 'documents',
    title: 'List documents',
    text: 'Documents that were ingested, newest first.',
    shown: { tags: '', project: '', limit: '', cursor: '' },
    output: { documents: ['object'], total: 'number' },
    answer: ({ documents, total, cursor: next }) => ({
      message: `${documents.length} of ${total} documents.`,
      total,
      documents: documents.map(describeDocument),
      ...(next !== null && { cursor: next }),
    }),
  },
});

function describeDocument({
  id,
  title,
  uri,
  format,
  sections,
  pages,
  tags,
  project,
  state,
  updatedAt,
}: DocumentSummary) {
  return {
    id,
    title,
    uri,
    format,
    sections,
    updated_at: toIso(updatedAt),
    ...(pages !== null && { pages }),
    ...(tags.length > 0 && { tags }),
    ...(project !== null && { project }),
    ...(state !== 'ready' && { state }),
  };
}

export const getDocument = defineVerb<GetDocumentInput, FoundDocument>({
  needs: 'read',
  input: {
    ref,
    project,
    offset: integer(0, 1_000_000, 'How many of its sections to pass over. Default: 0.'),
    limit: integer(0, 1000, 'How many of its sections to return with their text. Default: 0.'),
  },
  run: ({ engine, caller }, input) => engine.getDocument(caller, input),
  rest: {
    at: 'GET /documents/{ref}',
    summary: 'A document, with its sections in their order',
    answers: { 200: 'The document.', 404: 'There is none.' },
  },
});

const GONE = { 200: 'What was removed. `restore` brings it back for a while.' };

export const removeDocument = defineVerb<{ ref: string; project?: string }, RemovedDocuments>({
  needs: 'write',
  input: { ref, project },
  async run({ engine, caller }, input) {
    const removed = await engine.removeDocuments(caller, { refs: [input.ref], project: input.project });
    if (removed.missing.length === 0) return removed;
    throw new EngineError('not_found', 'There is no such document.', { details: { ref: input.ref } });
  },
  rest: {
    at: 'DELETE /documents/{ref}',
    summary: 'Remove a document with all its sections',
    answers: { ...GONE, 404: 'There is none.' },
  },
});

export interface RemoveInput {
  refs?: string[];
  tags?: TagsInput;
  tagMatch?: 'any' | 'all';
  project?: string;
  dryRun?: boolean;
}

export const removeDocuments = defineVerb<RemoveInput, RemovedDocuments>({
  needs: 'write',
  input: {
    refs: { type: 'refs', about: 'Ids of documents, or where they came from.' },
    tags,
    tag_match,
    project: label('The project of the named documents, or all documents of this project.'),
    dry_run: flag('Only report what would be removed.'),
  },
  async run({ engine, caller }, { refs = [], tags: given, tagMatch, project: of, dryRun }) {
    const wanted = readTags(given);
    if (refs.length > 0) return engine.removeDocuments(caller, { refs, project: of, dryRun });
    if (wanted.length === 0 && of === undefined)
      throw new EngineError('invalid_input', 'Nothing says which documents to remove.', {
        hint: 'Give refs, tags or a project.',
        details: { field: 'refs' },
      });
    const filter = { ...(wanted.length > 0 && { tags: wanted, tagMatch }), ...(of !== undefined && { project: of }) };
    return engine.removeDocuments(caller, { filter, dryRun });
  },
  rest: {
    at: 'POST /documents/remove',
    summary: 'Remove several documents, or all with certain tags or of a project',
    answers: GONE,
  },
  tool: {
    name: 'memory_remove_documents',
    family: 'documents',
    title: 'Remove documents',
    text: 'Remove documents with all their sections: by id or path, or all with tags or of a project.',
    shown: { refs: 'Ids, paths or URLs', tags: '', project: '', dry_run: '' },
    destructive: true,
    idempotent: true,
    output: { documents: ['object'], sections: 'number', missing: ['string'] },
    answer: ({ outcome, documents, sections, missing }) => ({
      message: `${outcome === 'deleted' ? 'Removed' : 'Would remove'} ${documents.length} documents with ${sections} sections.`,
      documents: documents.map(describeDocument),
      sections,
      ...(missing.length > 0 && { missing }),
    }),
  },
});

export const restoreDocument = defineVerb<{ ref: string }, { document: DocumentSummary }>({
  needs: 'write',
  input: { ref },
  run: async ({ engine, caller }, input) => ({ document: await engine.restoreDocument(caller, input) }),
  rest: {
    at: 'POST /documents/{ref}/restore',
    summary: 'Restore a removed document with its sections',
    answers: { 200: 'The document.', 404: 'There is none.' },
  },
});
