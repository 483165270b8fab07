import { exportRecords, importRecords } from '../../verbs/exchange/exchange-records.ts';
import { scrubRecords } from '../../verbs/exchange/scrub-records.ts';
import type { CommandLine } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** Looking after the database, the search and the program itself. */
export const UPKEEP_COMMANDS: readonly CommandLine[] = [
  commandOf(exportRecords, async () => (await import('../commands/exchange-records.ts')).exportRecords),
  commandOf(importRecords, async () => (await import('../commands/exchange-records.ts')).importRecords),
  commandOf(scrubRecords, async () => (await import('../commands/scrub.ts')).scrub),
  {
    name: 'privacy',
    summary: 'Show what would not be captured of a file, and why',
    usage: 'test FILE',
    about:
      'Screens the file as if a tool of an agent had given it back, and names each secret, private span and custom pattern by line and rule, never by value. FILE may be the JSON that a hook gets; - reads stdin. See docs/privacy.md.',
    examples: ['ltm privacy test build.log', 'ltm privacy test - --json'],
    load: async () => (await import('../commands/privacy.ts')).privacy,
  },
  {
    name: 'hook',
    summary: 'Capture an event of an agent from stdin',
    usage: '[AGENT] [EVENT]',
    about:
      'Agents run this, or the faster `ltm-hook`, which does the same: it reads the JSON of a hook, screens it, adds it to the spool and ends, always with exit code 0. At the start of a session and at a prompt it prints the context. `ltm setup` registers it. See docs/sessions.md.',
    flags: [{ name: 'agent', value: 'NAME', description: 'The agent, as AGENT.' }],
    examples: ['ltm-hook --agent claude-code', 'ltm hook copilot sessionStart'],
    load: async () => (await import('../commands/hook.ts')).hook,
  },
  {
    name: 'migrate',
    isLocal: true,
    tellsPlace: true,
    summary: 'Copy everything to another database and verify the copy',
    usage: '--from PLACE --to PLACE',
    about:
      'Copies all spaces, versions, relations, vectors, people, teams and tokens. PLACE is a file or a postgres:// URL, in either direction. The source stays usable and is not changed. An interrupted run resumes, and another run copies what is new. Succeeds only if every record is identical in both and a sample of searches gives the same results. See docs/migrate.md.',
    flags: [
      { name: 'from', value: 'PLACE', description: 'The database to copy: a file or a postgres:// URL.' },
      {
        name: 'to',
        value: 'PLACE',
        description: 'The target: an empty database, or one that an earlier run has partly filled.',
      },
      { name: 'dry-run', description: 'Only count; write nothing.' },
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
      'Evaluates files of conversations and questions (.json or .json.gz) in a temporary database and compares the results with plain full-text search. With --own, evaluates your own memories and writes nothing. See docs/eval.md.',
    flags: [
      { name: 'own', description: 'Generate questions from your own memories and check whether search finds them.' },
      { name: 'questions', value: 'N', description: 'With --own: how many questions; 200 by default.' },
      { name: 'limit', short: 'n', value: 'N', description: 'Only the first N conversations of each file.' },
      { name: 'k', value: 'N', description: 'The k of R@k: how many top hits count; 10 by default.' },
      {
        name: 'bootstrap',
        value: 'N',
        description: 'Bootstrap samples for the 95 % interval; 1000 by default, 0 for none.',
      },
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
    tellsPlace: true,
    summary: 'Check the database and the search index',
    about:
      'Verifies the checksum of every record and compares the records with the index. --repair makes a backup first. On PostgreSQL, make one with `ltm backup create` or pg_dump, then --no-backup.',
    flags: [
      { name: 'repair', description: 'Repair what can be repaired.' },
      {
        name: 'from',
        value: 'FILE',
        description: 'With --repair: a copy of the database or an export, from which damaged records are taken.',
      },
      { name: 'backup', value: 'FILE', description: 'Where to write the backup before a repair.' },
      { name: 'no-backup', description: 'Repair without a backup.' },
    ],
    examples: [
      'ltm doctor',
      'ltm doctor --repair',
      'ltm doctor --repair --from memory.db.backup',
      'ltm doctor --repair --no-backup',
    ],
    load: async () => (await import('../commands/database.ts')).doctor,
  },
  {
    name: 'embedder',
    isLocal: true,
    tellsPlace: true,
    summary: 'Show and change the embedder',
    usage: '[status | list | use NAME | clean]',
    about:
      'use tries the embedder, writes the setting and says what will be re-embedded. It also writes the settings given as flags (--embedder-url, --embedder-model, --embedder-folder …). See docs/embedders.md.',
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
      'A flag wins over the environment, the environment over the config file, the file over the default. There is one config file; `ltm config path` prints where it is. `server` is the server you use, `host` and `port` are where `ltm serve` listens. While no such address is set, `host` is the server, as `ltm` for packets has it.',
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
    summary: 'Show help for a command',
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
