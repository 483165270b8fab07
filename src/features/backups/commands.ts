import type { CommandLine } from '../../cli/command.ts';

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'backup',
    isLocal: true,
    tellsPlace: true,
    summary: 'Back up the database, and restore it',
    usage: '[create | list | status | verify [FILE] | restore [FILE] | schedule]',
    about:
      'create copies the whole database (people, tokens, versions and deleted records included) while others go on using it, checks every row of the copy, and compresses it. list shows the backups of a folder, status whether more are made by themselves, when and for how long they are kept. verify unpacks one and examines it as `ltm doctor` does. restore does the same, backs up what is there now, and puts the backup in its place; a PostgreSQL database to restore into has to be empty, and --replaces names the one that is given up for it. What was purged or rejected there since the backup was made does not come back. Without FILE, the newest backup of the folder is meant. schedule runs create once a day by the scheduler of this machine. See docs/backup.md.',
    flags: [
      {
        name: 'to',
        value: 'DIR',
        description:
          'The folder of the backups; by default the one of the setting backup_dir, else `backups` beside the database.',
      },
      {
        name: 'keep-days',
        value: 'N',
        description: 'With create and schedule: afterwards remove older backups, though never the newest.',
      },
      { name: 'at', value: 'HH:MM', description: 'With schedule: the local time; 03:30 by default.' },
      {
        name: 'by',
        value: 'SCHEDULER',
        description: 'With schedule: systemd, launchd, task-scheduler or cron; by default what this machine has.',
      },
      { name: 'off', description: 'With schedule: do it no longer. The backups stay.' },
      { name: 'dry-run', description: 'With restore and schedule: show what would be done.' },
      {
        name: 'replaces',
        value: 'DB',
        description: 'With restore: the database that is given up, if it is not the one that is restored into.',
      },
      { name: 'yes', short: 'y', description: 'With restore: do not ask.' },
    ],
    examples: [
      'ltm backup create --to /mnt/backups --keep-days 14',
      'ltm backup list',
      'ltm backup verify',
      'ltm backup restore /mnt/backups/ltm-20261116T033000000Z.db.zst',
      'ltm backup schedule --to /mnt/backups --keep-days 14',
    ],
    load: async () => (await import('./terminal/backup.ts')).backup,
  },
];
