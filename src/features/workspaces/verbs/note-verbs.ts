import { flag, integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { TextVersion } from '../list-texts.ts';
import type { Note, NoteListInput, NoteRef } from '../read-notes.ts';
import type { LineQuery, NoteMatches } from '../search-notes.ts';
import { MAX_NOTE_BYTES, type NoteFacts } from '../workspace.ts';
import type { UploadedNote, UploadNoteInput } from '../write-notes.ts';
import { version, workspace, writeToken } from './workspace-verbs.ts';

const path = text('Its path, such as decisions/database.md.', { isRequired: true, min: 1, max: 1024 });

export const uploadNote = defineVerb<UploadNoteInput, UploadedNote>({
  needs: 'upload',
  input: {
    workspace,
    write_token: writeToken,
    path,
    content: text('Markdown, kept to the byte.', { isRequired: true, isVerbatim: true, max: MAX_NOTE_BYTES }),
    expect_sha256: text('Only if the note still has this hash; empty: only if there is none.', {
      max: 64,
      isVerbatim: true,
    }),
  },
  run: ({ engine, caller }, input) => engine.uploadNote(caller, input),
  rest: {
    at: 'PUT /workspaces/{workspace}/note',
    summary: 'Write a note; the text before it stays a version',
    example: { body: { write_token: 'ltmw_…', path: 'plan.md', content: '# Plan\n' } },
    answers: {
      200: 'created, updated, unchanged, or conflict where somebody else was faster and nothing was written.',
    },
    isUpload: true,
  },
});

export const listNotes = defineVerb<NoteListInput, { notes: NoteFacts[] }>({
  needs: 'read',
  input: {
    workspace,
    prefix: text('Only paths that begin so.', { max: 1024 }),
    deleted: flag('Deleted ones instead, whose texts can still be read as versions.'),
  },
  run: async ({ engine, caller }, input) => ({ notes: await engine.listNotes(caller, input) }),
  rest: {
    at: 'GET /workspaces/{workspace}/notes',
    summary: 'List the notes of a workspace, by path',
    answers: { 200: 'Without their texts.' },
  },
  command: {
    name: 'notes',
    summary: 'List the notes of a workspace',
    usage: 'WORKSPACE [--prefix PATH] [--deleted]',
    words: 'workspace',
    flags: ['prefix', 'deleted'],
    maxWords: 1,
    examples: ['ltm notes laptop-claude-code-shop'],
  },
});

export const getNote = defineVerb<NoteRef, Note>({
  needs: 'read',
  input: { workspace, path, version },
  run: ({ engine, caller }, input) => engine.getNote(caller, input),
  rest: {
    at: 'GET /workspaces/{workspace}/note',
    summary: 'Read a note, or an earlier text of it',
    example: { path: '/workspaces/laptop-claude-code-shop/note?path=plan.md' },
    answers: { 200: 'The text to the byte.' },
  },
  command: {
    name: 'note',
    summary: 'Print a note of a workspace, or an earlier text of it',
    usage: 'WORKSPACE --path PATH [--version NAME]',
    words: 'workspace',
    flags: ['path', 'version'],
    maxWords: 1,
    examples: ['ltm note laptop-claude-code-shop --path plan.md'],
  },
});

export const listNoteVersions = defineVerb<Omit<NoteRef, 'version'>, { versions: TextVersion[] }>({
  needs: 'read',
  input: { workspace, path },
  run: async ({ engine, caller }, input) => ({ versions: await engine.listNoteVersions(caller, input) }),
  rest: {
    at: 'GET /workspaces/{workspace}/note/versions',
    summary: 'List the texts that a note has had, newest first',
    answers: { 200: 'Without the texts themselves.' },
  },
});

export const diffNote = defineVerb<
  Omit<NoteRef, 'version'> & { from?: string; to?: string },
  { from: string; to: string; diff: string }
>({
  needs: 'read',
  input: { workspace, path, from: label('The earlier text.'), to: label('The later text.') },
  run: ({ engine, caller }, input) => engine.diffNote(caller, input),
  rest: {
    at: 'GET /workspaces/{workspace}/note/diff',
    summary: 'What changed between two texts of a note; by default the last two',
    answers: { 200: 'A diff by lines.' },
  },
});

export const deleteNote = defineVerb<Omit<NoteRef, 'version'>, { workspaceId: string; path: string }>({
  needs: 'tend',
  input: { workspace, path },
  run: ({ engine, caller }, input) => engine.deleteNote(caller, input),
  rest: {
    at: 'DELETE /workspaces/{workspace}/note',
    summary: 'Delete a note of your own workspace; its texts stay versions',
    answers: { 200: 'Deleted.' },
  },
});

export const restoreNote = defineVerb<NoteRef, UploadedNote>({
  needs: 'tend',
  input: { workspace, path, version },
  run: ({ engine, caller }, input) => engine.restoreNote(caller, input),
  rest: {
    at: 'POST /workspaces/{workspace}/note/restore',
    summary: 'Make an earlier or deleted text of a note the current one',
    example: { body: { path: 'plan.md', version: '1' } },
    answers: { 200: 'It is the current text now.' },
  },
});

export const searchNotes = defineVerb<LineQuery, NoteMatches>({
  needs: 'read',
  input: {
    query: text('These characters, or with regex a pattern.', { isRequired: true, min: 1, max: 1000 }),
    workspace: label('Only this workspace.'),
    regex: flag('The query is a regular expression, without back references and look-around.'),
    case_sensitive: flag('Tell capital letters from small ones.'),
    limit: integer(1, 100, 'How many lines at most; 20 by default.'),
    context: integer(0, 10, 'How many lines around each are shown; 1 by default.'),
  },
  run: ({ engine, caller }, input) => engine.searchNotes(caller, input),
  rest: {
    at: 'GET /notes/search',
    summary: 'Find lines of notes, over all workspaces',
    example: { path: '/notes/search?query=checkout' },
    answers: { 200: 'Lines with their numbers.' },
  },
});
