import type { Command } from '../command.ts';

/** About the program itself. */
export const PROGRAM_COMMANDS: readonly Command[] = [
  {
    name: 'config',
    summary: 'Show and change settings',
    usage: '[list | get NAME | set NAME VALUE | unset NAME | edit | path]',
    about:
      'A flag wins over the environment, the environment over the config file, the file over the default. There is one config file; `ltm config path` prints where it is. `server` is the server you use, `host` and `port` are where `ltm serve` listens.',
    flags: [],
    words: ['list', 'get', 'set', 'unset', 'edit', 'path'],
    maxWords: 3,
    examples: [
      'ltm config',
      'ltm config set port 9000',
      'ltm config get db',
      'ltm config set server https://memory.example.com',
    ],
    load: () => import('../commands/config.ts'),
  },
  {
    name: 'token',
    isLocal: true,
    summary: "Show where the owner's token is",
    usage: '',
    flags: [{ name: 'show', description: 'Print the token itself.' }],
    maxWords: 0,
    examples: [
      'ltm token',
      'curl -H "Authorization: Bearer $(ltm token --show)" http://127.0.0.1:8000/api/v1/memories',
    ],
    load: () => import('../commands/token.ts'),
  },
  {
    name: 'completion',
    summary: 'Print a completion script for a shell',
    usage: 'bash | zsh | fish',
    flags: [],
    words: ['bash', 'zsh', 'fish'],
    maxWords: 1,
    examples: [
      'source <(ltm completion bash)',
      'ltm completion zsh > ~/.zfunc/_ltm',
      'ltm completion fish > ~/.config/fish/completions/ltm.fish',
    ],
    load: () => import('../commands/completion.ts'),
  },
  {
    name: 'help',
    summary: 'Show how a command is used',
    usage: '[COMMAND]',
    flags: [],
    maxWords: 1,
    examples: ['ltm help search'],
    load: () => import('../commands/help.ts'),
  },
  {
    name: 'version',
    summary: 'Print the version',
    usage: '',
    flags: [],
    maxWords: 0,
    examples: ['ltm version --json'],
    load: () => import('../commands/version.ts'),
  },
];
