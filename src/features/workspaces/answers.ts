import { z } from 'zod';
import { type Answers, count, instant, text, texts } from '../../rest/answer-fields.ts';

const { strictObject: fields, array: list } = z;

const workspace = fields({
  workspace_id: text,
  machine: text,
  tool: text,
  project: text,
  description: text,
  knowledge_count: count,
  session_count: count,
  created_at: instant,
  updated_at: instant,
  redact: z.boolean().describe('Whether secrets in what is uploaded are replaced.'),
});
const whole = workspace.extend({ overview: text });
const note = fields({
  workspace_id: text,
  path: text,
  bytes: count,
  sha256: text,
  updated_at: instant,
  versions: count.describe('Earlier texts.'),
  deleted_at: instant.nullable(),
});
const versions = list(
  fields({
    version: text,
    revision: count,
    sha256: text,
    bytes: count,
    written_at: instant,
    replaced_at: instant.nullable(),
  }),
);
const uploaded = fields({
  status: z.enum(['created', 'updated', 'unchanged', 'conflict']),
  sha256: text.describe('Of what is kept now.'),
  version: text.optional().describe('The name of the text that was replaced.'),
  redacted: count.describe('Secrets that were replaced.'),
});

const transcript = fields({
  workspace_id: text,
  session_id: text,
  title: text,
  first_prompt: text,
  source: text.nullable(),
  started_at: instant,
  ended_at: instant,
  uploaded_at: instant,
  lines: count,
  bytes: count,
  sha256: text.describe('Of all its bytes.'),
  ends_with_newline: z.boolean(),
});
const storedTranscript = transcript.extend({ status: z.enum(['stored', 'duplicate', 'replaced']) });

export const ANSWERS: Answers = {
  registerWorkspace: fields({
    workspace_id: text,
    created: z.boolean(),
    redact: z.boolean(),
    write_token: text.optional().describe('For uploads; the same until it is rotated.'),
  }),
  listWorkspaces: fields({ workspaces: list(workspace) }),
  getWorkspace: whole,
  identifyMemory: fields({ memory: text, changes: count }),
  getOverview: fields({ welcome: text, workspaces: list(whole) }),
  readOverview: fields({ workspace_id: text, version: text, content: text, sha256: text, bytes: count, versions }),
  writeOverview: fields({ workspace_id: text, outcome: z.enum(['updated', 'unchanged']) }),
  setRedaction: fields({ workspace_id: text, redact: z.boolean() }),
  uploadNote: uploaded,
  listNotes: fields({ notes: list(note) }),
  getNote: note.extend({ version: text, content: text }),
  listNoteVersions: fields({ versions }),
  diffNote: fields({ from: text, to: text, diff: text }),
  deleteNote: fields({ workspace_id: text, path: text }),
  restoreNote: uploaded,
  planTranscript: fields({
    missing: texts.describe('Pieces that have to be sent.'),
    open: fields({ sha256: text, bytes: count, index: count }).nullable(),
  }),
  uploadChunks: fields({ received: count, redacted: count }),
  finishTranscript: storedTranscript,
  uploadTranscript: storedTranscript,
  listTranscripts: fields({
    transcripts: list(transcript),
    total: count,
    cursor: text.nullable(),
    next: text.nullable(),
  }),
  readTranscript: fields({
    lines: texts,
    offset: count,
    next_offset: count.nullable(),
    total_lines: count,
    cut: list(count).describe('Lines of which only the beginning is here, by their places in `lines`.'),
    ends_with_newline: z.boolean(),
  }),
  searchTranscripts: fields({
    matches: list(fields({ workspace_id: text, session_id: text, line: count, text })),
    cursor: text.nullable(),
    timed_out: z.boolean(),
  }),
  deleteTranscript: fields({ workspace_id: text, session_id: text }),
  searchNotes: fields({
    matches: list(fields({ workspace_id: text, path: text, line: count, text, before: texts, after: texts })),
    has_more: z.boolean(),
    timed_out: z.boolean(),
  }),
};
