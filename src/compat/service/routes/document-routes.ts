import type { DocumentSummary } from '../../../features/documents/document.ts';
import { EngineError } from '../../../model/errors.ts';
import { FAULTS } from '../../../model/failure-facts.ts';
import { toIso } from '../../../model/instant.ts';
import { readTags } from '../../../model/tags.ts';
import { readFiles } from '../../../rest/read-upload.ts';
import { flag, integer } from '../../../verbs/field.ts';
import {
  type CallWith,
  defineRoute,
  problem,
  readFields,
  type ServiceCall,
  type ServiceRoute,
} from './service-route.ts';

const IN_CHUNKS = { limit: integer(1, 1000) };
const REMOVED = { remove_from_memory: flag() };
const BY_TAGS = { tags: { type: 'tags' } } as const;
const FORM = {
  chunk_size: integer(1, 1_000_000),
  chunk_overlap: integer(0, 1_000_000),
  memory_type: { type: 'label' },
} as const;

/** What the service calls an upload is a document here, and known for as long as it is there. */
async function ingest(call: ServiceCall): Promise<{ uploaded: DocumentSummary[]; failed: string[] }> {
  const { files, texts } = await readFiles(call.request, call.ports.rest.maxDocumentBytes);
  if (files.length === 0) throw problem(400, 'The form has no file.');
  const given = Object.fromEntries([...texts].filter(([, value]) => typeof value === 'string'));
  const { chunk_size: size = 1000, chunk_overlap: overlap = 200, ...rest } = readFields(FORM, given, 'body');
  const tags = String(given.tags ?? '')
    .split(/[,\s]+/)
    .filter((tag) => tag !== '');
  const sectionChars = Math.min(20_000, Math.max(200, size));
  const uploaded: DocumentSummary[] = [];
  const failed: string[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const ending = /\.([a-z0-9]{1,10})$/i.exec(file.name)?.[1]?.toLowerCase();
    try {
      const { document } = await call.engine.ingestDocument(call.caller, {
        name: file.name,
        bytes,
        sectionChars,
        type: rest.memory_type ?? 'document',
        overlapChars: Math.min(overlap, Math.floor(sectionChars / 2)),
        tags: [...tags, `source_file:${file.name}`, ...(ending === undefined ? [] : [`file_type:${ending}`])],
      });
      uploaded.push(document);
    } catch (error) {
      if (!(error instanceof EngineError) || FAULTS.has(error.code)) throw error;
      failed.push(`${file.name}: ${error.message}`);
    }
  }
  if (uploaded.length === 0) throw problem(400, failed.join(' '));
  return { uploaded, failed };
}

async function upload(call: ServiceCall): Promise<object> {
  const { uploaded, failed } = await ingest(call);
  const [document] = uploaded;
  const message = `Document ingested: ${document?.sections ?? 0} chunks`;
  return { upload_id: document?.id, status: 'completed', message: [message, ...failed].join(' ') };
}

async function uploadMany(call: ServiceCall): Promise<object> {
  const { uploaded, failed } = await ingest(call);
  return {
    upload_ids: uploaded.map(({ id }) => id),
    status: 'completed',
    message: `${uploaded.length} documents ingested`,
    errors: failed,
  };
}

function describeUpload(document: DocumentSummary): Record<string, unknown> {
  const { id, title, uri, sections, bytes, format, tags, state, createdAt, updatedAt } = document;
  const isDone = state === 'ready';
  const written = isDone ? sections : (document.written ?? 0);
  const progress = sections === 0 ? 100 : Math.floor((100 * written) / sections);
  return {
    upload_id: id,
    status: isDone ? 'completed' : 'processing',
    filename: uri,
    title,
    file_size: bytes,
    format,
    tags,
    chunks_processed: written,
    chunks_stored: written,
    total_chunks: sections,
    progress,
    errors: [],
    created_at: toIso(createdAt),
    completed_at: isDone ? toIso(updatedAt) : null,
  };
}

async function readStatus({ engine, caller, params }: ServiceCall): Promise<object> {
  const { document } = await engine.getDocument(caller, { ref: params.id ?? '' });
  return describeUpload(document);
}

async function history({ engine, caller }: ServiceCall): Promise<object> {
  const { items, total } = await engine.listDocuments(caller, { page: { limit: 1000 } });
  return { uploads: items.map(describeUpload), total };
}

async function readChunks(call: CallWith<{ query: typeof IN_CHUNKS }>): Promise<object> {
  const { engine, caller, params } = call;
  const { limit = 1000 } = call.query;
  const { document, sections } = await engine.getDocument(caller, { ref: params.id ?? '', limit });
  const total = document.sections;
  const results = sections.map(({ content, ordinal, page, line, headings }) => ({
    content,
    metadata: {
      chunk_index: ordinal,
      total_chunks: total,
      source_file: document.uri,
      headings,
      ...(page !== null && { page_number: page }),
      ...(line !== null && { line_number: line }),
    },
  }));
  return { status: 'success', upload_id: document.id, filename: document.uri, memories: results, total_found: total };
}

async function remove({ engine, caller, params, query }: CallWith<{ query: typeof REMOVED }>): Promise<object> {
  const id = params.id ?? '';
  const { document } = await engine.getDocument(caller, { ref: id });
  if (query.remove_from_memory === false)
    return { status: 'success', upload_id: document.id, memories_deleted: 0, message: 'The chunks stay' };
  const { sections } = await engine.removeDocuments(caller, { refs: [document.id] });
  return { status: 'success', upload_id: document.id, filename: document.uri, memories_deleted: sections };
}

async function removeByTags({ engine, caller, body, request }: CallWith<{ body: typeof BY_TAGS }>): Promise<object> {
  const inAddress = new URL(request.url).searchParams.getAll('tags').flatMap((tags) => tags.split(','));
  const tags = [...readTags(body.tags), ...inAddress].filter((tag) => tag.trim() !== '');
  if (tags.length === 0) throw problem(400, 'tags is required.');
  const { documents, sections } = await engine.removeDocuments(caller, { filter: { tags } });
  return { status: 'success', tags, documents_removed: documents.length, memories_deleted: sections };
}

export const DOCUMENT_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'POST /documents/upload', needs: 'write', isRaw: true, handle: upload }),
  defineRoute({ at: 'POST /documents/batch-upload', needs: 'write', isRaw: true, handle: uploadMany }),
  defineRoute({ at: 'GET /documents/status/{id}', needs: 'read', handle: readStatus }),
  defineRoute({ at: 'GET /documents/history', needs: 'read', handle: history }),
  defineRoute({
    at: 'GET /documents/search-content/{id}',
    needs: 'read',
    query: IN_CHUNKS,
    handle: readChunks,
  }),
  defineRoute({
    at: 'DELETE /documents/remove/{id}',
    needs: 'write',
    query: REMOVED,
    handle: remove,
  }),
  defineRoute({
    at: 'DELETE /documents/remove-by-tags',
    needs: 'write',
    body: BY_TAGS,
    handle: removeByTags,
  }),
];
