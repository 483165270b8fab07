import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { EngineSettings } from '../../engine/engine-settings.ts';
import type { Records } from '../../engine/ports.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { checkText, invalid, readCheckedTags, readLabel } from '../../engine/records/check-text.ts';
import { makeSearchable } from '../../engine/records/make-searchable.ts';
import { putRecord } from '../../engine/records/record-changes.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import { makeContent, readGiven } from '../../engine/records/store-record.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { isLessTrusted, type RecordContent, type RecordState, type StoredRecord } from '../../model/record.ts';
import { describeRedactions, firstRedactions } from '../../model/redaction.ts';
import { sha256Of } from '../../model/sha256.ts';
import { readTags, splitTags } from '../../model/tags.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { cutSections, MAX_SECTION_CHARS, MIN_SECTION_CHARS, SECTION_CHARS } from './cut-sections.ts';
import {
  type DocumentBody,
  type IngestInput,
  type IngestOutcome,
  type IngestUrlInput,
  listParts,
  readDocumentBody,
  type SectionCounts,
  toDocument,
} from './document.ts';
import { documentId, documentKind } from './document-kind.ts';
import type { DocumentReader } from './document-reader.ts';
import { leaveRejected, liftAll } from './leave-rejected.ts';
import { screenSections } from './screen-document.ts';
import { type PlannedSection, removeSections, writeSections } from './write-sections.ts';

const MAX_URI_CHARS = 2000;
const MAX_KEY_CHARS = 200;
const MAX_OUTLINE = 60;
const MAX_TITLE_CHARS = 200;
/** Of larger documents the record is written first, so that nothing of them is ever without it. */
const AT_ONCE = 40;

/** Takes a file in. One that is there already, by where it came from, is brought up to date: what is the same is left alone. */
export async function ingestDocument(parts: EngineParts, caller: Caller, input: IngestInput): Promise<IngestOutcome> {
  const { space } = caller;
  authorize(caller, 'write', space);
  const now = parts.clock.now();
  const checked = checkInput(parts, caller, input);
  const { uri, given, cut, hash } = checked;
  const id = documentId(given.project ?? null, uri);
  const known = await findKnown(parts, caller, id);
  if (known !== null && isUnchanged(known, checked, input)) return unchanged(known);
  const { read } = await needReader(parts);
  const { name, bytes, mediaType } = input;
  const document = await read({ name, bytes, mediaType });
  const redactor = await openRedactor(parts, caller, input.noRedact);
  const { sections, redactions } = await screenSections(redactor, document.sections);
  const isNew = known === null || known.deletedAt !== null;
  const { planned, left, lifted } = await leaveRejected(parts, caller, {
    id,
    isNew,
    planned: await planSections(id, sections, cut),
  });
  if (planned.length === 0 && left.length === 0)
    throw new EngineError('invalid_input', `There is no text in ${name}.`, {
      hint: 'A scanned document has to be made readable first, for example with ocrmypdf.',
      details: { field: 'name', format: document.format },
    });
  const tags = redactor.value('tags', [...splitTags(input.tags), ...document.tags]);
  const body: DocumentBody = {
    uri,
    name,
    format: document.format,
    bytes: bytes.byteLength,
    hash,
    pages: document.pages,
    parts: planned.map((section) => section.id),
    outline: outlineOf(planned),
    state: 'ready',
    modifiedAt: input.modifiedAt ?? null,
    cut: cutName(cut),
  };
  const head = makeContent(documentKind, now, {
    ...given,
    ...(input.noRedact === true && redactions.length > 0 && { source: { ...given.source, unredacted: true } }),
    key: keyOf(uri),
    type: readLabel('type', input.type) ?? documentKind.name,
    title: titleOf(input, document.title),
    tags: readCheckedTags(tags.value),
    body: { ...body } as unknown as JsonObject,
  });
  const screened = redactor.content({ ...head, key: null });
  const isKeySafe = redactor.value('key', head.key).value === head.key;
  const content: RecordContent = { ...screened.content, key: isKeySafe ? head.key : null };
  const found = [...screened.redactions, ...tags.redactions, ...redactions];
  const ingest: Ingest = { id, content, planned, known, now, onProgress: input.onProgress };
  if (input.dryRun !== true && lifted.length > 0) await liftAll(parts, caller, lifted);
  const { record, counts } = input.dryRun === true ? plan(caller, ingest) : await write(parts, caller, ingest);
  const done = isNew ? (['ingested', 'would_ingest'] as const) : (['updated', 'would_update'] as const);
  return {
    outcome: done[input.dryRun === true ? 1 : 0],
    document: toDocument({ ...record, generation: 1, dot: '' }),
    counts,
    warnings: [...document.warnings, ...left, ...describeRedactions(found)],
    redactions: firstRedactions(found),
  };
}

async function planSections(...given: Parameters<typeof cutSections>): Promise<PlannedSection[]> {
  const planned: PlannedSection[] = [];
  const pace = createPacer();
  for (const section of cutSections(...given)) {
    planned.push(section);
    await pace();
  }
  return planned;
}

/** By the URL that was asked for: where it leads may change. */
export async function ingestUrl(
  parts: EngineParts,
  caller: Caller,
  { url, ...input }: IngestUrlInput,
): Promise<IngestOutcome> {
  authorize(caller, 'write', caller.space);
  const { fetch } = await needReader(parts);
  if (fetch === undefined)
    throw new EngineError('forbidden', 'Documents are not ingested from URLs here.', {
      hint: 'The operator can allow it with the setting ingest_urls. Or save the page and ingest the file.',
    });
  const { name, bytes, mediaType } = await fetch(url, parts.settings.maxDocumentBytes);
  return ingestDocument(parts, caller, { ...input, name, bytes, mediaType, uri: url, trust: 'untrusted' });
}

interface Checked {
  uri: string;
  hash: string;
  given: ReturnType<typeof readGiven>;
  cut: { sectionChars: number; overlapChars: number };
}

function checkInput({ settings }: { settings: EngineSettings }, caller: Caller, input: IngestInput): Checked {
  const { bytes, name, uri = name, sectionChars = SECTION_CHARS, overlapChars = 0 } = input;
  for (const [field, text] of Object.entries({ name, uri })) {
    checkText(field, text);
    if (text.trim() === '') throw invalid(field, 'is empty');
    if (text.length > MAX_URI_CHARS) throw invalid(field, `has more than ${MAX_URI_CHARS} characters`);
  }
  if (input.title !== undefined) checkText('title', input.title);
  if (bytes.byteLength > settings.maxDocumentBytes) throw tooLarge(bytes.byteLength, settings.maxDocumentBytes);
  if (!Number.isInteger(sectionChars) || sectionChars < MIN_SECTION_CHARS || sectionChars > MAX_SECTION_CHARS)
    throw invalid('section_chars', `must be a whole number from ${MIN_SECTION_CHARS} to ${MAX_SECTION_CHARS}`);
  if (!Number.isInteger(overlapChars) || overlapChars < 0 || overlapChars > sectionChars / 2)
    throw invalid('overlap_chars', 'must be a whole number from 0 to half of section_chars');
  const { project, agent, session, conversation, author, trust = 'untrusted' } = input;
  const given = readGiven({ project, agent, session, conversation, author, trust }, caller);
  const hash = sha256Of(bytes);
  return { uri, hash, given, cut: { sectionChars, overlapChars } };
}

export function tooLarge(bytes: number, limit: number): EngineError {
  return new EngineError('too_large', `The document has ${bytes} bytes; the limit is ${limit}.`, {
    hint: 'Split it, or raise the setting max_document_bytes.',
    details: { limit, value: bytes },
  });
}

async function needReader({ documents }: Pick<EngineParts, 'documents'>): Promise<DocumentReader> {
  if (documents != null) return documents.get();
  throw new EngineError('forbidden', 'Documents cannot be read here.', {
    hint: 'Give the engine a `documents` port, as `openEngine` does.',
  });
}

/** Deleted or not. */
async function findKnown({ store }: { store: Records }, { space }: Caller, id: RecordId): Promise<StoredRecord | null> {
  return (await store.getRecords(space, [id]))[0] ?? null;
}

/** The file, how it is cut, and all that was said about it. */
function isUnchanged(known: StoredRecord, { hash, cut, given }: Checked, input: IngestInput): boolean {
  const body = readDocumentBody(known);
  return (
    known.deletedAt === null &&
    body.state === 'ready' &&
    (body.removed ?? []).length === 0 &&
    body.hash === hash &&
    body.cut === cutName(cut) &&
    (input.title === undefined || input.title === known.title) &&
    (input.type === undefined || input.type === known.type) &&
    readTags(input.tags).every((tag) => known.tags.includes(tag)) &&
    !isLessTrusted(given.trust, known.trust) &&
    input.noRedact !== true
  );
}

function unchanged(known: StoredRecord): IngestOutcome {
  const counts = { added: 0, moved: 0, unchanged: listParts(readDocumentBody(known)).length, removed: 0 };
  return { outcome: 'unchanged', document: toDocument(known), counts, warnings: [], redactions: [] };
}

/** Part of it is which version of the cutting made it. */
function cutName({ sectionChars, overlapChars }: Checked['cut']): string {
  return `1/${sectionChars}/${overlapChars}`;
}

function titleOf({ title, name }: IngestInput, found: string | null): string {
  const stem = name.split(/[\\/]/).at(-1)!;
  const chosen = [title, found, stem].find((text) => text != null && text.trim() !== '') ?? name;
  return chosen.replaceAll(/\s+/g, ' ').replaceAll('\0', '').trim().slice(0, MAX_TITLE_CHARS).toWellFormed();
}

function outlineOf(planned: readonly PlannedSection[]): string[] {
  return [...new Set(planned.flatMap(({ headings }) => headings.slice(-1)))].slice(0, MAX_OUTLINE);
}

/** What people call it; a long one keeps its end, and a hash tells it from others that end alike. */
function keyOf(uri: string): string {
  if (uri.length <= MAX_KEY_CHARS) return uri.trim();
  const hash = sha256Of(uri).slice(0, 16);
  return `${hash}:${uri.slice(17 - MAX_KEY_CHARS)}`.toWellFormed();
}

interface Ingest {
  id: RecordId;
  content: RecordContent;
  planned: readonly PlannedSection[];
  known: StoredRecord | null;
  now: Instant;
  onProgress?: (done: number, total: number) => void;
}

type Written = { record: RecordState; counts: SectionCounts };

function plan({ space }: Caller, { id, content, planned, known }: Ingest): Written {
  const before = new Set(known === null || known.deletedAt !== null ? [] : listParts(readDocumentBody(known)));
  const kept = planned.filter((section) => before.has(section.id)).length;
  const counts = { added: planned.length - kept, moved: 0, unchanged: kept, removed: before.size - kept };
  const record = { ...content, id, space, revision: known?.revision ?? 0, deletedAt: null };
  return { record, counts };
}

/** Its record says at any moment at least which sections there are: whoever is interrupted leaves nothing that cannot be found and removed. */
async function write(parts: EngineParts, caller: Caller, ingest: Ingest): Promise<Written> {
  const { id, content, planned, known } = ingest;
  const wanted = new Set(planned.map((section) => section.id));
  const gone = known === null ? [] : readDocumentBody(known).parts.filter((part) => !wanted.has(part));
  if (planned.length + gone.length > AT_ONCE)
    await putHead(parts, caller, ingest, { parts: [...wanted, ...gone], state: 'incomplete' });
  const counts = await writeSections(parts, caller, {
    document: id,
    head: content,
    planned,
    report: ingest.onProgress,
  });
  const removed = await removeSections(parts, caller, { document: id, ids: gone });
  return { record: await putHead(parts, caller, ingest, {}), counts: { ...counts, removed } };
}

async function putHead(
  parts: EngineParts,
  caller: Caller,
  { id, content, now }: Ingest,
  said: Partial<DocumentBody>,
): Promise<RecordState> {
  const put = documentKind.derive({ ...content, body: { ...content.body, ...said } as JsonObject });
  const { passages, vectors } = await makeSearchable(parts, put);
  return retryConflicts(async () => {
    const known = await findKnown(parts, caller, id);
    return putRecord(parts, caller, {
      id,
      known,
      content: { ...put, createdAt: known?.createdAt ?? now, updatedAt: now },
      passages,
      vectors,
      unlessDuplicate: false,
    });
  });
}
