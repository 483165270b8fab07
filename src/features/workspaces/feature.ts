import type { ApiOf } from '../../engine/engine.ts';
import { transcriptKind, transcriptPartKind } from '../../engine/transcripts/transcript-kind.ts';
import { noteKind } from '../../engine/workspaces/note-kind.ts';
import { workspaceKind } from '../../engine/workspaces/workspace-kind.ts';
import { defineFeature } from '../feature.ts';
import { late, lateStream } from '../late.ts';

const registering = () => import('../../engine/workspaces/register-workspace.ts');
const listing = () => import('../../engine/workspaces/list-workspaces.ts');
const identifying = () => import('../../engine/workspaces/identify-memory.ts');
const reading = () => import('../../engine/workspaces/read-notes.ts');
const writing = () => import('../../engine/workspaces/write-notes.ts');
const searching = () => import('../../engine/workspaces/search-notes.ts');
const uploading = () => import('../../engine/transcripts/upload-transcript.ts');
const receiving = () => import('../../engine/transcripts/receive-chunks.ts');
const transcripts = () => import('../../engine/transcripts/read-transcripts.ts');
const looking = () => import('../../engine/transcripts/search-transcripts.ts');

const api = {
  registerWorkspace: late(registering, 'registerWorkspace'),
  listWorkspaces: late(listing, 'listWorkspaces'),
  getWorkspace: late(listing, 'getWorkspace'),
  readOverview: late(listing, 'readOverview'),
  identifyMemory: late(identifying, 'identifyMemory'),
  readWelcome: late(identifying, 'readWelcome'),
  writeOverview: late(registering, 'writeOverview'),
  setRedaction: late(registering, 'setRedaction'),
  uploadNote: late(writing, 'uploadNote'),
  listNotes: late(reading, 'listNotes'),
  getNote: late(reading, 'getNote'),
  listNoteVersions: late(reading, 'listNoteVersions'),
  diffNote: late(reading, 'diffNote'),
  deleteNote: late(writing, 'deleteNote'),
  restoreNote: late(writing, 'restoreNote'),
  searchNotes: late(searching, 'searchNotes'),
  planTranscript: late(uploading, 'planTranscript'),
  uploadChunks: late(receiving, 'uploadChunks'),
  finishTranscript: late(uploading, 'finishTranscript'),
  uploadTranscript: late(uploading, 'uploadTranscript'),
  listTranscripts: late(transcripts, 'listTranscripts'),
  readSession: late(transcripts, 'readSession'),
  readTranscriptBytes: lateStream(transcripts, 'readTranscriptBytes'),
  searchTranscripts: late(looking, 'searchTranscripts'),
  deleteTranscript: late(transcripts, 'deleteTranscript'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

export const workspaces = defineFeature({
  name: 'workspaces',
  about: 'Workspaces, their notes, archived transcripts, and their sync and mirror.',
  kinds: [workspaceKind, noteKind, transcriptKind, transcriptPartKind],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
