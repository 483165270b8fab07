import type { Caller } from '../../model/caller.ts';
import type { MemoryIdentity, NoteFacts, Workspace } from '../../model/workspace.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { TextVersion } from './list-texts.ts';
import type { Overview } from './list-workspaces.ts';
import type { Note, NoteListInput, NoteRef } from './read-notes.ts';
import type { Registered, RegisterInput } from './register-workspace.ts';
import type { LineQuery, NoteMatches } from './search-notes.ts';
import type { UploadedNote, UploadNoteInput } from './write-notes.ts';

/** What can be done with workspaces and their notes. */
export interface WorkspaceVerbs {
  registerWorkspace(caller: Caller, input: RegisterInput): Promise<Registered>;
  listWorkspaces(caller: Caller): Promise<Workspace[]>;
  getWorkspace(caller: Caller, workspace: string): Promise<Workspace>;
  /** The whole overview, or an earlier text of it, and which texts it has had. */
  readOverview(caller: Caller, input: { workspace: string; version?: string }): Promise<Overview>;
  /** Which memory this is, and the number of its last change: copies of it say so, and are not taken for copies of another one. */
  identifyMemory(caller: Caller): Promise<MemoryIdentity>;
  /** What the operator has to say to everybody; '' where that is nothing. */
  readWelcome(caller: Caller): Promise<string>;
  /** Of the workspace that the caller is bound to. */
  writeOverview(
    caller: Caller,
    input: { workspace?: string; content: string },
  ): Promise<{ workspaceId: string; outcome: 'updated' | 'unchanged' }>;
  /** Needs the admin scope. */
  setRedaction(
    caller: Caller,
    input: { workspace: string; redact: boolean },
  ): Promise<{ workspaceId: string; redact: boolean }>;
  uploadNote(caller: Caller, input: UploadNoteInput): Promise<UploadedNote>;
  listNotes(caller: Caller, input: NoteListInput): Promise<NoteFacts[]>;
  getNote(caller: Caller, input: NoteRef): Promise<Note>;
  listNoteVersions(caller: Caller, input: NoteRef): Promise<TextVersion[]>;
  diffNote(
    caller: Caller,
    input: NoteRef & { from?: string; to?: string },
  ): Promise<{ from: string; to: string; diff: string }>;
  deleteNote(
    caller: Caller,
    input: { workspace?: string; path: string },
  ): Promise<{ workspaceId: string; path: string }>;
  restoreNote(caller: Caller, input: { workspace?: string; path: string; version?: string }): Promise<UploadedNote>;
  searchNotes(caller: Caller, input: LineQuery): Promise<NoteMatches>;
}

export function createWorkspaceVerbs(parts: EngineParts): WorkspaceVerbs {
  const registering = () => import('./register-workspace.ts');
  const listing = () => import('./list-workspaces.ts');
  const reading = () => import('./read-notes.ts');
  const writing = () => import('./write-notes.ts');
  return {
    registerWorkspace: async (caller, input) => (await registering()).registerWorkspace(parts, caller, input),
    listWorkspaces: async (caller) => (await listing()).listWorkspaces(parts, caller),
    getWorkspace: async (caller, workspace) => (await listing()).getWorkspace(parts, caller, workspace),
    readOverview: async (caller, input) => (await listing()).readOverview(parts, caller, input),
    async identifyMemory(caller) {
      authorize(caller, 'read', caller.space);
      const { memoryNameOf } = await import('./write-token.ts');
      return { memory: await memoryNameOf(parts, caller.space), changes: await parts.store.head(caller.space) };
    },
    async readWelcome(caller) {
      authorize(caller, 'read', caller.space);
      return (await parts.welcome?.()) ?? '';
    },
    writeOverview: async (caller, input) => (await registering()).writeOverview(parts, caller, input),
    setRedaction: async (caller, input) => (await registering()).setRedaction(parts, caller, input),
    uploadNote: async (caller, input) => (await writing()).uploadNote(parts, caller, input),
    listNotes: async (caller, input) => (await reading()).listNotes(parts, caller, input),
    getNote: async (caller, input) => (await reading()).getNote(parts, caller, input),
    listNoteVersions: async (caller, input) => (await reading()).listNoteVersions(parts, caller, input),
    diffNote: async (caller, input) => (await reading()).diffNote(parts, caller, input),
    deleteNote: async (caller, input) => (await writing()).deleteNote(parts, caller, input),
    restoreNote: async (caller, input) => (await writing()).restoreNote(parts, caller, input),
    searchNotes: async (caller, input) => (await import('./search-notes.ts')).searchNotes(parts, caller, input),
  };
}
