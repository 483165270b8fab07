import { z } from 'zod';
import {
  type Answers,
  count,
  counts,
  instant,
  redactions,
  source,
  text,
  texts,
  trust,
} from '../../rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;

const document = fields({
  id: text,
  space: text,
  title: text,
  uri: text.describe('Where it came from: a path, a URL or the name of an upload.'),
  format: text,
  bytes: count,
  hash: text.describe('SHA-256 of the file.'),
  pages: z.number().nullable(),
  sections: count,
  state: z
    .enum(['ready', 'incomplete'])
    .describe('incomplete: it is being ingested, or that was interrupted; do it again to finish it.'),
  written: count.optional().describe('Of one that is incomplete: how many of its sections are there.'),
  tags: texts,
  project: text.nullable(),
  source,
  trust,
  modified_at: instant.nullable().describe('When the file was last changed.'),
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.nullable(),
  revision: count,
});

const section = fields({
  id: text,
  ordinal: count,
  headings: texts,
  page: z.number().nullable(),
  line: z.number().nullable(),
  content: text,
});

const removed = fields({
  outcome: z.enum(['deleted', 'would_delete']),
  documents: list(document),
  sections: count.describe('How many sections went with them.'),
  missing: texts,
});

const ingested = fields({
  outcome: z.enum(['ingested', 'updated', 'unchanged', 'would_ingest', 'would_update']),
  document,
  counts: fields({
    ...counts('added'),
    moved: count.describe('The same text at another place, or with other labels.'),
    ...counts('unchanged', 'removed'),
  }),
  warnings: texts,
  redactions,
});

export const ANSWERS: Answers = {
  ingestDocument: ingested,
  ingestUrl: ingested,
  listDocuments: fields({
    documents: list(document),
    total: count,
    cursor: text.nullable(),
    next: text.nullable(),
    damaged: texts.optional(),
  }),
  getDocument: fields({ document, sections: list(section) }),
  removeDocument: removed,
  removeDocuments: removed,
  restoreDocument: fields({ document }),
};
