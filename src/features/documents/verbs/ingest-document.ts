import { EngineError } from '../../../model/errors.ts';
import { TRUST_TIERS } from '../../../model/record.ts';
import { choice, type Fields, flag, integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import { MAX_SECTION_CHARS, MIN_SECTION_CHARS } from '../cut-sections.ts';
import type { IngestInput, IngestOutcome, IngestUrlInput } from '../document.ts';

/** What can be said of any document that is taken in. */
export const DOCUMENT_FIELDS: Fields = {
  title: text('The title. Default: what the document calls itself, or its name.', { min: 1, max: 200 }),
  tags: { type: 'tags', about: 'Tags of the document and its sections.' },
  type: label('The type of the document and its sections. Default: document.'),
  project: label('The project it belongs to.'),
  agent: label('The agent that ingests it.'),
  session: label('The session it is ingested in.'),
  conversation_id: label('The conversation it is ingested in.'),
  author: label('Who wrote it.'),
  trust: choice(TRUST_TIERS, 'The trust tier. Default: untrusted, since the text comes from outside.'),
  section_chars: integer(
    MIN_SECTION_CHARS,
    MAX_SECTION_CHARS,
    'Maximum length of a section; longer ones are cut. Default: 3600.',
  ),
  overlap_chars: integer(0, MAX_SECTION_CHARS / 2, 'How much of its end the next piece of a cut section repeats.'),
  dry_run: flag('Only report what would be written.'),
  no_redact: flag('Store secrets as they are instead of replacing them. Persons only.'),
};

export type IngestDocumentInput = Omit<IngestInput, 'name'> & Partial<Pick<IngestInput, 'name'>>;

export const ingestDocument = defineVerb<IngestDocumentInput, IngestOutcome>({
  needs: 'write',
  handed: ['bytes', 'mediaType', 'onProgress'],
  input: {
    name: text('The name of the file. Its ending says what it is.', { min: 1, max: 2000 }),
    uri: text('Where it comes from; ingesting the same uri again updates the document. Default: the name.', {
      min: 1,
      max: 2000,
    }),
    ...DOCUMENT_FIELDS,
    modified_at: { type: 'instant', about: 'When the file was last changed.' },
  },
  async run({ engine, caller }, { name = nameIn(undefined), ...input }) {
    return engine.ingestDocument(caller, { ...input, name });
  },
  rest: {
    at: 'POST /documents',
    summary: 'Ingest a document: the file as the body, or as `file` of a form',
    answers: {
      201: 'The document is new.',
      200: 'It was updated, or has not changed.',
      413: 'It is larger than max_document_bytes, or unpacks to too much.',
    },
    statusOf: ({ outcome }) => (outcome === 'ingested' ? 201 : 200),
    locationOf: ({ document }) => `/documents/${document.id}`,
    streams: 'file',
  },
});

const { trust: _, ...PAGE_FIELDS } = DOCUMENT_FIELDS;

export const ingestUrl = defineVerb<IngestUrlInput, IngestOutcome>({
  needs: 'write',
  handed: ['modifiedAt', 'onProgress'],
  input: {
    url: text('The address of the document: http or https, on a public address.', {
      min: 1,
      max: 2000,
      isRequired: true,
    }),
    ...PAGE_FIELDS,
  },
  run: ({ engine, caller }, input) => engine.ingestUrl(caller, input),
  rest: {
    at: 'POST /documents/url',
    summary: 'Ingest what stands behind a URL (if the setting ingest_urls allows it)',
    answers: { 201: 'The document is new.', 200: 'It was updated, or has not changed.', 403: 'It is not allowed.' },
    statusOf: ({ outcome }) => (outcome === 'ingested' ? 201 : 200),
    locationOf: ({ document }) => `/documents/${document.id}`,
  },
});

function nameIn(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new EngineError('invalid_input', 'The document has no name.', {
    hint: 'Give `name`, such as report.pdf: its ending says what it is.',
    details: { field: 'name' },
  });
}
