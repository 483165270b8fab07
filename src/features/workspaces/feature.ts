import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late, lateStream } from '../late.ts';
import { noteKind } from './note-kind.ts';
import { settings } from './settings.ts';
import { transcriptKind, transcriptPartKind } from './transcripts/transcript-kind.ts';
import type { VERBS } from './verbs.ts';
import { workspaceKind } from './workspace-kind.ts';

const registering = () => import('./register-workspace.ts');
const listing = () => import('./list-workspaces.ts');
const identifying = () => import('./identify-memory.ts');
const reading = () => import('./read-notes.ts');
const writing = () => import('./write-notes.ts');
const searching = () => import('./search-notes.ts');
const uploading = () => import('./transcripts/upload-transcript.ts');
const receiving = () => import('./transcripts/receive-chunks.ts');
const transcripts = () => import('./transcripts/read-transcripts.ts');
const looking = () => import('./transcripts/search-transcripts.ts');

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

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const workspaces = defineFeature({
  name: 'workspaces',
  about: 'Workspaces, their notes, archived transcripts, and their sync and mirror.',
  settings,
  kinds: [workspaceKind, noteKind, transcriptKind, transcriptPartKind],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  imports: { transcripts: async () => (await import('./transcripts/import-transcripts.ts')).importTranscripts },
  actions: { sync: async () => (await import('./sync/sync-workspaces.ts')).SYNC_ACTIONS },
  commands: async () => (await import('./commands.ts')).COMMANDS,
  services: { server: async () => (await import('./mirror/keep-root.ts')).prepareRoot },
});
