import type { CommandLine } from '../../cli/command.ts';

export const COMMANDS: readonly CommandLine[] = [
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
    load: async () => (await import('./terminal/setup.ts')).setup,
  },
];
