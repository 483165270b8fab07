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
    ],
    examples: [
      'ltm setup',
      'ltm setup --dry-run',
      'ltm setup --agents claude-code,codex --yes',
      'ltm setup --url https://memory.example.com --token "$TOKEN"',
      'ltm setup --undo',
    ],
    load: async () => (await import('../commands/setup.ts')).setup,
  },
];
