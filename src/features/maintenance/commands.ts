import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { showStats } from './verbs/check-health.ts';
import { scrubRecords } from './verbs/scrub-records.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(showStats, async () => (await import('./terminal/stats.ts')).stats),
  {
    name: 'status',
    summary: 'Show what is connected, what runs and what is wrong',
    about:
      'Shows the database or server in use, whether `ltm serve` runs here, how much was captured today, what waits to be taken in, and for each agent on this machine whether it is set up. The exit code is 1 if something is wrong; each problem comes with a way out.',
    examples: ['ltm status', 'ltm status --json'],
    load: async () => (await import('./terminal/status.ts')).status,
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
    load: async () => (await import('./terminal/logs.ts')).logs,
  },
  commandOf(scrubRecords, async () => (await import('./terminal/scrub.ts')).scrub),
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
    load: async () => (await import('./terminal/database.ts')).migrate,
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
    load: async () => (await import('./terminal/database.ts')).doctor,
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
    load: async () => (await import('./terminal/embedder.ts')).embedder,
  },
];
