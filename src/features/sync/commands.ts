import type { CommandLine } from '../../cli/command.ts';

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'sync',
    summary: 'Keep memories, notes and sessions of this machine in sync with a server',
    usage: '[run | memory | status | conflicts | rotate | init | test | claude-hook | install-schedule]',
    about:
      'memory exchanges memories, packets, documents, relations and earlier versions with a server, both ways, deletions and purges included: everything is in the database of this machine and works offline, and the next exchange catches up. The first one names the server with --to and, where only some is to travel, projects. conflicts lists what was changed on two machines at once: both texts are kept, and the next edit settles it. With --encrypt everything is sealed on this machine, and the server keeps what it cannot read; another machine joins with the recovery words, which are shown once. rotate gives such a space a new key, without the machines named by --revoke. See docs/sync.md. run sends the notes of all manifests in ~/.memory-sync both ways, and the sessions of Claude Code and Codex that are new or have grown; what has not changed sends nothing. init writes the manifest of a project. test checks server and token. install-schedule runs it every half hour by the scheduler of this machine, and at the end of each session of Claude Code, which calls claude-hook: it says nothing, is over within 20 seconds and always ends with 0. A folder of the federated client is used as it is (MEMORY_SYNC_HOME, MCP_MEMORY_URL, MCP_MEMORY_TOKEN, SYNC_TOKEN). See docs/workspaces.md. status says what has been sent, and whether both sides hold the same memories.',
    flags: [
      {
        name: 'to',
        value: 'URL',
        description:
          'With memory and status: the server; after the first time, or with one in the settings, not needed.',
      },
      {
        name: 'team',
        value: 'NAME',
        description: "With memory, status and conflicts: a team's space, on both sides, instead of your own.",
      },
      {
        name: 'project',
        short: 'p',
        value: 'NAME',
        many: true,
        description:
          'With memory: only this project; may be given several times, and is remembered. With init: the project; by default that of the folder.',
      },
      { name: 'all-projects', description: 'With memory: everything again, whatever was chosen before.' },
      {
        name: 'encrypt',
        description: 'With memory: seal what is exchanged, so that the server cannot read it; at the first exchange.',
      },
      {
        name: 'words',
        value: 'FILE',
        description: 'With memory: join a sealed space with the recovery words in this file; - reads them from a pipe.',
      },
      {
        name: 'revoke',
        value: 'MACHINE',
        many: true,
        description: 'With rotate: a machine that is not to have the new key; `ltm sync status` lists them.',
      },
      { name: 'new-words', description: 'With rotate: new recovery words, too; those before are void.' },
      {
        name: 'check',
        description:
          'With memory, of a sealed space: fetch and open everything that the server keeps; what is missing or changed is sent again.',
      },
      {
        name: 'discard',
        description: 'With memory: as --check, and what no key opens is removed from the server, for good.',
      },
      { name: 'once', description: 'With memory: exchange once and end; this is the default.' },
      { name: 'watch', description: 'With memory: go on exchanging until interrupted.' },
      { name: 'tool', value: 'NAME', description: 'With init: the agent; claude-code by default.' },
      { name: 'cwd', value: 'DIR', description: 'With init: the folder of the project; by default this one.' },
      {
        name: 'machine',
        value: 'NAME',
        description: 'With init, and with memory where it joins a sealed space: the name of this machine.',
      },
      { name: 'url', value: 'URL', description: 'With init: the server.' },
      { name: 'every', value: 'MINUTES', description: 'With install-schedule: how often; 30 by default.' },
      {
        name: 'by',
        value: 'NAME',
        description:
          'With install-schedule: systemd, launchd, task-scheduler or cron; by default what this machine has.',
      },
      { name: 'off', description: 'With install-schedule: do it no longer.' },
      { name: 'dry-run', description: 'With memory and install-schedule: show what would be done.' },
    ],
    examples: [
      'ltm sync memory --to https://memory.example.com',
      'ltm sync memory --project web --project api',
      'ltm sync memory --to https://memory.example.com --encrypt',
      'ltm sync rotate --revoke old-laptop',
      'ltm sync status',
      'ltm sync init --tool claude-code --project shop',
      'ltm sync run',
      'ltm sync install-schedule',
    ],
    load: async () => (await import('./terminal/sync.ts')).sync,
  },
];
