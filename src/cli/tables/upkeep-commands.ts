import { exportRecords, importRecords } from '../../verbs/exchange/exchange-records.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** Looking after the database, the search and the program itself. */
export const UPKEEP_COMMANDS: readonly CommandLine[] = [
  commandOf(exportRecords, async () => (await import('../commands/exchange-records.ts')).exportRecords),
  commandOf(importRecords, async () => (await import('../commands/exchange-records.ts')).importRecords),
  {
    name: 'migrate',
    isLocal: true,
    summary: 'Copy everything to another database, and check it',
    usage: '--from PLACE --to PLACE',
    about:
      'A place is a file or a postgres:// address, in either direction. All spaces, versions, relations, vectors, people, teams and tokens. The source can be used meanwhile and is not changed; an interrupted run goes on where it was, and another run brings over what is new. Ends well only when every record is the same in both and a sample of searches gives the same answers. See docs/migrate.md.',
    flags: [
      { name: 'from', value: 'PLACE', description: 'The database to copy: a file or a postgres:// address.' },
      { name: 'to', value: 'PLACE', description: 'An empty database, or one that an earlier run has begun to fill.' },
      { name: 'dry-run', description: 'Only look and count; write nothing.' },
    ],
    examples: [
      'ltm migrate --from memory.db --to postgres://ltm@db.internal/ltm --dry-run',
      'ltm migrate --from postgres://ltm@db.internal/ltm --to memory.db',
    ],
    load: async () => (await import('../commands/database.ts')).migrate,
  },
  {
    name: 'eval',
    isLocal: true,
    summary: 'Measure how well search finds things',
    usage: 'FILE… | --own',
    about:
      'On files of conversations and questions (.json or .json.gz), in a temporary database, beside plain full-text search; or with --own on your memories, which writes nothing. See docs/eval.md. Every setting can be given as a flag.',
    flags: [
      { name: 'own', description: 'Make questions from your own memories and see whether they are found.' },
      { name: 'questions', value: 'N', description: 'With --own: how many questions; 200 by default.' },
      { name: 'limit', short: 'n', value: 'N', description: 'Only the first N conversations of each file.' },
      { name: 'k', value: 'N', description: 'How many first hits the figures look at; 10 by default.' },
      { name: 'bootstrap', value: 'N', description: 'Draws for the 95 % interval; 1000 by default, 0 for none.' },
    ],
    takesSettings: true,
    examples: [
      'ltm eval conversations.json.gz',
      'ltm eval evals/data/*.json.gz --json',
      'ltm eval --own --questions 500',
    ],
    load: async () => (await import('../commands/evaluate.ts')).evaluate,
  },
  {
    name: 'doctor',
    isLocal: true,
    summary: 'Check the database and the search index',
    about:
      'Reads every record and compares hashes and counts. --repair writes a backup first; of a PostgreSQL database ltm makes none: use pg_dump, then --no-backup.',
    flags: [
      { name: 'repair', description: 'Mend what can be mended.' },
      { name: 'backup', value: 'FILE', description: 'Where the copy before a repair goes.' },
      { name: 'no-backup', description: 'Repair without one: there is a copy already.' },
    ],
    examples: ['ltm doctor', 'ltm doctor --repair', 'ltm doctor --repair --no-backup'],
    load: async () => (await import('../commands/database.ts')).doctor,
  },
  {
    name: 'embedder',
    isLocal: true,
    summary: 'Show and change what turns text into vectors',
    usage: '[status | list | use NAME | clean]',
    about:
      'use tries the embedder, writes the setting and says what will be embedded anew; the flags of its settings (--embedder-url, --embedder-model, --embedder-folder …) are written too. See docs/embedders.md.',
    flags: [
      { name: 'now', description: 'With use: embed everything now instead of in the background.' },
      { name: 'drop-old', description: 'With use --now: remove the vectors of other embedders afterwards.' },
      { name: 'yes', short: 'y', description: 'With clean: do not ask.' },
    ],
    takesSettings: true,
    examples: [
      'ltm embedder',
      'ltm embedder use onnx --embedder-folder ~/models/bge-small --now',
      'ltm embedder use static',
    ],
    load: async () => (await import('../commands/embedder.ts')).embedder,
  },
  {
    name: 'config',
    summary: 'Show and change settings',
    usage: '[list | get NAME | set NAME VALUE | unset NAME | edit | path]',
    about:
      'A flag wins over the environment, the environment over the config file, the file over the default. There is one config file; `ltm config path` prints where it is. `server` is the server you use, `host` and `port` are where `ltm serve` listens.',
    examples: [
      'ltm config',
      'ltm config set port 9000',
      'ltm config get db',
      'ltm config set server https://memory.example.com',
    ],
    load: async () => (await import('../commands/config.ts')).config,
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
    load: async () => (await import('../commands/program.ts')).token,
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
    load: async () => (await import('../commands/program.ts')).completion,
  },
  {
    name: 'help',
    summary: 'Show how a command is used',
    usage: '[COMMAND]',
    examples: ['ltm help search'],
    load: async () => (await import('../commands/program.ts')).help,
  },
  {
    name: 'version',
    summary: 'Print the version',
    examples: ['ltm version --json'],
    load: async () => (await import('../commands/program.ts')).version,
  },
];
