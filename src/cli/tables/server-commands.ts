import type { Command } from '../command.ts';

/** Ways to be reached. */
export const SERVER_COMMANDS: readonly Command[] = [
  {
    name: 'serve',
    isLocal: true,
    summary: 'Serve agents, scripts and browsers over HTTP (MCP and REST)',
    usage: '[--host ADDRESS] [--port N]',
    about:
      'Listens on 127.0.0.1:8000 and needs a token, which the first start makes and shows. Every setting can be given as a flag; `ltm config list` shows them.',
    flags: [
      { name: 'create-token', description: 'Make the first token even where other machines can reach the server.' },
    ],
    takesSettings: true,
    readsDotEnv: true,
    maxWords: 0,
    examples: [
      'ltm serve',
      'ltm serve --port 9000',
      'ltm serve --db ./team.db --log-level warn',
      'ltm serve --host 0.0.0.0 --tokens-file ./user_tokens.json --tools core,networked',
    ],
    load: () => import('../commands/serve.ts'),
  },
  {
    name: 'mcp',
    summary: 'Serve one agent over stdin and stdout (MCP)',
    usage: '',
    about:
      'For the configuration of an agent, which starts it by itself. Many can run at once on one database. Uses the server you have signed in to with `ltm auth`, otherwise the database of this machine; --db and --local always mean the latter.',
    flags: [{ name: 'local', description: 'Use the database of this machine even when signed in to a server.' }],
    takesSettings: true,
    maxWords: 0,
    examples: ['claude mcp add -s user ltm -- ltm mcp', 'ltm mcp --db ./project.db', 'ltm mcp --tools core,packets'],
    load: () => import('../commands/mcp.ts'),
  },
];
