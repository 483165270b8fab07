import type { CommandLine } from './command.ts';

const PLATFORM: Omit<CommandLine, 'name'> = {
  summary: 'Print the URL of the server in use',
  examples: ['ltm platform'],
  load: async () => (await import('./program.ts')).platform,
};

export const OWN_COMMANDS: readonly CommandLine[] = [
  {
    name: 'serve',
    isLocal: true,
    summary: 'Serve agents, scripts and browsers over HTTP (MCP and REST)',
    usage: '[--host ADDRESS] [--port N]',
    about: 'Listens on 127.0.0.1:8000. Clients need a token; the first start creates and prints it.',
    flags: [
      { name: 'create-token', description: 'Create the first token even if other machines can reach the server.' },
    ],
    takesSettings: true,
    readsDotEnv: true,
    examples: [
      'ltm serve',
      'ltm serve --port 9000',
      'ltm serve --db ./team.db --log-level warn',
      'ltm serve --host 0.0.0.0 --tokens-file ./user_tokens.json --tools core,networked',
    ],
    load: async () => (await import('./server.ts')).serve,
  },
  {
    name: 'mcp',
    summary: 'Serve one agent over stdin and stdout (MCP)',
    about:
      'Put this command into an agent’s configuration; the agent starts it. Many can run at once on one database. Uses the server you signed in to with `ltm auth`, or else the local database. --db and --local always use the local database.',
    flags: [{ name: 'local', description: 'Use the local database even if you are signed in to a server.' }],
    takesSettings: true,
    examples: ['claude mcp add -s user ltm -- ltm mcp', 'ltm mcp --db ./project.db', 'ltm mcp --tools core,packets'],
    load: async () => (await import('./server.ts')).mcp,
  },
  { name: 'platform', ...PLATFORM },
  { name: 'dashboard', ...PLATFORM, summary: 'The same as `ltm platform`', examples: ['ltm dashboard'] },
  {
    name: 'update',
    summary: 'Show the version and how to upgrade',
    about: 'Does not use the network. Prints the commands that check for a newer version and install it.',
    flags: [{ name: 'check', description: 'Does the same; for compatibility with other tools.' }],
    examples: ['ltm update --check'],
    load: async () => (await import('./program.ts')).update,
  },
  {
    name: 'auth',
    summary: 'Sign in to a server',
    usage: '[HOST [TOKEN] | whoami | ls | logout [HOST]]',
    about:
      'With a host, shows a code to confirm in a browser. With a host and a token, stores the token. All commands, `ltm mcp` and `ltm bridge` then use that server, with the same memories that agents see there. Sign-ins are stored per server, in a file that only you can read. `ltm auth logout` switches back to the local database; --local uses it for one command.',
    flags: [{ name: 'no-browser', description: 'Do not open a browser.' }],
    examples: [
      'ltm auth https://memory.example.com',
      'ltm auth http://localhost:8000 "$(ltm token --show)"',
      'ltm auth whoami',
      'ltm auth logout',
    ],
    load: async () => (await import('./auth.ts')).auth,
  },
  {
    name: 'bridge',
    summary: 'Connect an agent that only speaks stdio to a server (MCP)',
    usage: '[URL]',
    about:
      'Forwards MCP between stdin/stdout and the server, with the sign-in of `ltm auth` or with LTM_TOKEN. Without a URL, uses the server you signed in to. A URL that ends in /sse uses the older HTTP+SSE transport.',
    examples: [
      'claude mcp add -s user ltm -- ltm bridge https://memory.example.com/mcp',
      'LTM_TOKEN=… ltm bridge http://localhost:8000/mcp?tools=networked',
    ],
    load: async () => (await import('./auth.ts')).bridge,
  },
  {
    name: 'config',
    summary: 'Show and change settings',
    usage: '[list | get NAME | set NAME VALUE | unset NAME | edit | path]',
    about:
      'A flag wins over the environment, the environment over the config file, the file over the default. There is one config file; `ltm config path` prints where it is. `server` is the server you use, `host` and `port` are where `ltm serve` listens. While no such address is set, `host` is the server, as `ltm` for packets has it.',
    examples: [
      'ltm config',
      'ltm config set port 9000',
      'ltm config get db',
      'ltm config set server https://memory.example.com',
    ],
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'token',
    isLocal: true,
    summary: "Show where the owner's token is",
    flags: [{ name: 'show', description: 'Print the token itself.' }],
    examples: [
      'ltm token',
      'curl -H "Authorization: Bearer $(ltm token --show)" http://127.0.0.1:8000/api/v1/memories',
    ],
    load: async () => (await import('./program.ts')).token,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    usage: 'bash | zsh | fish',
    examples: [
      'source <(ltm completion bash)',
      'ltm completion zsh > ~/.zfunc/_ltm',
      'ltm completion fish > ~/.config/fish/completions/ltm.fish',
    ],
    load: async () => (await import('./program.ts')).completion,
  },
  {
    name: 'help',
    summary: 'Show help for a command',
    usage: '[COMMAND]',
    examples: ['ltm help search'],
    load: async () => (await import('./program.ts')).help,
  },
  {
    name: 'version',
    summary: 'Print the version',
    examples: ['ltm version --json'],
    load: async () => (await import('./program.ts')).version,
  },
];
