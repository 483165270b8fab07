import type { CommandLine } from '../command.ts';

/** Wiring the agents of this machine, and seeing whether all of it works. */
export const SETUP_COMMANDS: readonly CommandLine[] = [
  {
    name: 'setup',
    summary: 'Connect the agents on this machine, with capture and context',
    about:
      'Finds the agents on this machine, shows what it would change in their files and asks. Registers the MCP server for all your projects, and the hooks where the agent has them. Everything else in the files stays as it is; the files are backed up first. Run again, it changes only what is not up to date. --undo restores every file as it was; where others have changed a file since, it takes out only what is of ltm. See docs/setup.md.',
    flags: [
      { name: 'yes', short: 'y', description: 'Do not ask.' },
      { name: 'dry-run', description: 'Only show what would be changed; write nothing.' },
      { name: 'undo', description: 'Take everything back.' },
      {
        name: 'agents',
        value: 'NAME,…',
        many: true,
        description: 'These agents, found or not. `ltm setup --dry-run` lists the names.',
      },
      { name: 'no-hooks', description: 'Register the MCP server only: nothing is captured and no context is given.' },
      { name: 'url', value: 'URL', description: 'Use this server instead of the local database.' },
      { name: 'token', value: 'TOKEN', description: 'With --url: the token for it. By default LTM_TOKEN.' },
      {
        name: 'sync-token',
        value: 'TOKEN',
        description: 'With --url: another token for what is captured in sessions.',
      },
      {
        name: 'machine',
        value: 'NAME',
        description: 'With --url: the name under which the server knows this machine.',
      },
      {
        name: 'notes',
        description: 'Also take in what you wrote for agents already: CLAUDE.md, AGENTS.md, memory folders, skills.',
      },
      { name: 'service', description: 'Also run `ltm serve` as a service of yours, with a log file.' },
    ],
    examples: [
      'ltm setup',
      'ltm setup --dry-run',
      'ltm setup --agents claude-code,codex --yes',
      'ltm setup --url https://memory.example.com --token "$TOKEN"',
      'ltm setup --service',
      'ltm setup --undo',
    ],
    load: async () => (await import('../commands/setup.ts')).setup,
  },
  {
    name: 'status',
    summary: 'Show what is connected, what runs and what is wrong',
    about:
      'Shows the database or server in use, whether `ltm serve` runs here, how much was captured today, what waits to be taken in, and for each agent on this machine whether it is set up. The exit code is 1 if something is wrong; each problem comes with a way out.',
    examples: ['ltm status', 'ltm status --json'],
    load: async () => (await import('../commands/status.ts')).status,
  },
  {
    name: 'logs',
    summary: 'Show the log of the server',
    about:
      'Reads the file that `log_file` names, or the one that the service of `ltm setup --service` writes. With --json, prints the lines as they are in the file.',
    flags: [
      { name: 'lines', short: 'n', value: 'N', description: 'How many of the last lines; 50 by default.' },
      { name: 'follow', short: 'f', description: 'Go on with lines as they come, until Ctrl-C.' },
    ],
    isLocal: true,
    examples: ['ltm logs', 'ltm logs -n 200 -f'],
    load: async () => (await import('../commands/logs.ts')).logs,
  },
];
