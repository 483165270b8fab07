import { getNote, listNotes } from '../../verbs/workspaces/note-verbs.ts';
import { listTranscripts, readTranscript } from '../../verbs/workspaces/transcript-verbs.ts';
import { listWorkspaces } from '../../verbs/workspaces/workspace-verbs.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** Machines, tools and projects, with what they wrote down. */
export const WORKSPACE_COMMANDS: readonly CommandLine[] = [
  commandOf(listWorkspaces, async () => (await import('../commands/workspaces.ts')).workspaces),
  commandOf(listNotes, async () => (await import('../commands/workspaces.ts')).notes),
  commandOf(getNote, async () => (await import('../commands/workspaces.ts')).note),
  commandOf(listTranscripts, async () => (await import('../commands/transcripts.ts')).transcripts),
  commandOf(readTranscript, async () => (await import('../commands/transcripts.ts')).transcript),
];
