import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { TEAM } from '../../verbs/team-flag.ts';
import { getNote, listNotes } from './verbs/note-verbs.ts';
import { listTranscripts, readTranscript } from './verbs/transcript-verbs.ts';
import { listWorkspaces, readOverview } from './verbs/workspace-verbs.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(listWorkspaces, async () => (await import('./terminal/workspaces.ts')).workspaces),
  commandOf(readOverview, async () => (await import('./terminal/workspaces.ts')).overview),
  commandOf(listNotes, async () => (await import('./terminal/workspaces.ts')).notes),
  commandOf(getNote, async () => (await import('./terminal/workspaces.ts')).note),
  commandOf(listTranscripts, async () => (await import('./transcripts/transcripts.ts')).transcripts),
  commandOf(readTranscript, async () => (await import('./transcripts/transcripts.ts')).transcript),
  {
    name: 'mirror',
    summary: 'Keep workspaces as a folder of files, and read edits of notes back',
    usage: 'FOLDER [--once | --watch]',
    about:
      'Writes workspaces/ID/overview.md, knowledge/**.md with earlier texts below .versions, and sessions/YYYY/MM/*.jsonl.gz, for editors, Obsidian, grep and git. Notes that were edited, added or removed in the folder are changed in the memory too; one that was changed on both sides lies beside the other. Without --watch it looks once. A folder that is not empty and was not written by ltm is left alone. See docs/workspaces.md.',
    flags: [
      { name: 'once', description: 'Look once; the default.' },
      { name: 'watch', description: 'Go on until it is ended.' },
      {
        name: 'yes',
        short: 'y',
        description: 'Also remove notes from the memory where many are missing in the folder.',
      },
      TEAM,
    ],
    examples: ['ltm mirror ~/memory', 'ltm mirror ~/memory --watch'],
    load: async () => (await import('./mirror/mirror.ts')).mirror,
  },
];
