import { TEAM } from '../../verbs/packets/packet-input.ts';
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
    load: async () => (await import('../commands/mirror.ts')).mirror,
  },
  {
    name: 'sync',
    summary: 'Keep notes and sessions of this machine in sync with a server',
    usage: '[run | init | test | status | claude-hook | install-schedule]',
    about:
      'run sends the notes of all manifests in ~/.memory-sync both ways, and the sessions of Claude Code and Codex that are new or have grown; what has not changed sends nothing. init writes the manifest of a project. test checks server and token. install-schedule runs it every half hour by the scheduler of this machine, and at the end of each session of Claude Code, which calls claude-hook: it says nothing, is over within 20 seconds and always ends with 0. A folder of the federated client is used as it is (MEMORY_SYNC_HOME, MCP_MEMORY_URL, MCP_MEMORY_TOKEN, SYNC_TOKEN). See docs/workspaces.md.',
    flags: [
      { name: 'tool', value: 'NAME', description: 'With init: the agent; claude-code by default.' },
      {
        name: 'project',
        short: 'p',
        value: 'NAME',
        description: 'With init: the project; by default that of the folder.',
      },
      { name: 'cwd', value: 'DIR', description: 'With init: the folder of the project; by default this one.' },
      { name: 'machine', value: 'NAME', description: 'With init: the name of this machine.' },
      { name: 'url', value: 'URL', description: 'With init: the server.' },
      { name: 'every', value: 'MINUTES', description: 'With install-schedule: how often; 30 by default.' },
      {
        name: 'by',
        value: 'NAME',
        description:
          'With install-schedule: systemd, launchd, task-scheduler or cron; by default what this machine has.',
      },
      { name: 'off', description: 'With install-schedule: do it no longer.' },
      { name: 'dry-run', description: 'With install-schedule: show what would be done.' },
    ],
    examples: ['ltm sync init --tool claude-code --project shop', 'ltm sync run', 'ltm sync install-schedule'],
    load: async () => (await import('../commands/sync-workspaces.ts')).sync,
  },
];
