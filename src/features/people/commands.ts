import type { CommandLine } from '../../cli/command.ts';
import { TOKEN_FLAGS } from './terminal/token-flags.ts';

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'teams',
    summary: 'Create and manage teams',
    usage:
      '[ls | create TEAM | rm TEAM | members TEAM | leave TEAM | transfer TEAM USER | remove TEAM USER | role TEAM USER ROLE]',
    about:
      'USER is an id, as `ltm teams members` shows it, or an email. ROLE is reader, member or admin. The owner can transfer a team, or delete it and everything in it with rm.',
    flags: [{ name: 'yes', short: 'y', description: 'Do not ask before deleting a team.' }],
    examples: ['ltm teams create crew', 'ltm teams members crew', 'ltm teams transfer crew ada@example.com'],
    load: async () => (await import('./terminal/teams.ts')).teams,
  },
  {
    name: 'invite',
    summary: 'Invite a person to a team',
    usage: '--team NAME',
    about: 'Prints a link to send to one person. It works once, for seven days, in a browser or with `ltm join`.',
    flags: [{ name: 'team', short: 't', value: 'NAME', description: 'The team.' }],
    examples: ['ltm invite --team crew'],
    load: async () => (await import('./terminal/teams.ts')).invite,
  },
  {
    name: 'join',
    summary: 'Join a team by an invite',
    usage: 'URL | CODE',
    about: 'Uses your account on that server. If you have none, creates one and stores its token for that server only.',
    flags: [
      { name: 'display', value: 'NAME', description: 'Your name as others see it, if a new account is created.' },
    ],
    examples: [
      'ltm join https://memory.example.com/v1/invites/3f…',
      'ltm join https://memory.example.com/v1/invites/3f… --display Ada',
    ],
    load: async () => (await import('./terminal/join.ts')).join,
  },
  {
    name: 'server',
    isLocal: true,
    summary: 'Set up and run a server for several people',
    usage: '[init | issue-token NAME | roles | distribute | isolate WHO] [--addr HOST:PORT] [--external-url URL]',
    about:
      'Without a subcommand, serves like `ltm serve`, but only if a token exists. init creates the database and the owner and prints the first token to stdout; run again, it prints another one. issue-token prints a token for a machine, an agent or a person; without --user and --email it is the owner’s. All tokens of a person see the same memories. roles gives the tables of a PostgreSQL database to an owner as which nobody can log in, and the roles that serve the right to rows alone; it also creates and upgrades the tables (docs/postgres.md). distribute distributes a PostgreSQL database with the Citus extension over its nodes by space, after showing the plan. isolate gives a space, team or person its own shard and, with --node, another server (docs/scaling.md).',
    flags: [
      { name: 'addr', value: 'HOST:PORT', description: 'Where to listen. :8080 means every address of this machine.' },
      ...TOKEN_FLAGS,
      { name: 'dry-run', description: 'With roles, distribute and isolate: only show what would be done.' },
      { name: 'yes', short: 'y', description: 'With roles, distribute and isolate: do not ask.' },
      {
        name: 'serve',
        value: 'ROLE,…',
        many: true,
        description: 'With roles: the role ltm connects as. Default: those that may already, and the owner up to now.',
      },
      {
        name: 'owner',
        value: 'ROLE',
        description: 'With roles: the owner of the tables, created if new. Default: DATABASE_owner.',
      },
      {
        name: 'shards',
        value: 'N',
        description: 'With distribute: the number of shards. Default: the cluster’s own.',
      },
      { name: 'node', value: 'HOST:PORT', description: 'With isolate: the node to move it to.' },
      {
        name: 'block-writes',
        description: 'With isolate: block writes during the move, if the servers do not allow logical replication.',
      },
      { name: 'minutes', value: 'N', description: 'With isolate: stop and clean up after so long. Default: 60.' },
    ],
    takesSettings: true,
    readsDotEnv: true,
    examples: [
      'ltm server init --db /srv/ltm/memory.db',
      'ltm server issue-token laptop',
      'ltm server issue-token ada-laptop --email ada@example.org --expires 90d',
      'ltm server --addr :8080 --external-url https://memory.example.org',
      'ltm server roles --serve ltm --db postgres://postgres@db.example/ltm --dry-run',
      'ltm server distribute --db postgres://postgres@coordinator/ltm --dry-run',
      'ltm server isolate big-team --node worker3:5432 --db postgres://postgres@coordinator/ltm',
    ],
    load: async () => (await import('./terminal/server.ts')).server,
  },
  {
    name: 'tokens',
    summary: 'List, create and revoke tokens in the local database',
    usage: '[ls | create NAME | revoke ID_OR_NAME]',
    about:
      'create prints the token to stdout. It is shown only once and stored as a hash. revoke takes effect immediately, even on a running server.',
    flags: [{ name: 'all', short: 'a', description: 'With ls: include revoked and expired tokens.' }, ...TOKEN_FLAGS],
    examples: [
      'ltm tokens',
      'ltm tokens create build-server --role reader --expires 30d',
      'ltm tokens revoke build-server',
    ],
    load: async () => (await import('./terminal/tokens.ts')).tokens,
  },
  {
    name: 'users',
    summary: 'List, add, suspend and remove people in the local database',
    usage: '[ls | add [ID] | suspend WHO | resume WHO | rm WHO | passwd WHO]',
    about:
      'WHO is a user id or an email. suspend blocks all access immediately, also to the packets they published, and deletes nothing; resume undoes it. rm asks first, and without a terminal wants --yes. It removes tokens, password, memberships and public links; their memories stay. With --purge, it also purges everything in their own space and everything they stored in teams, after saying how much that is, and works for somebody who was removed before. Nobody gets a token for a removed person; add --again brings them back. passwd asks for a password without showing it, or reads it from stdin.',
    flags: [
      { name: 'email', value: 'EMAIL', description: 'With add: their email.' },
      { name: 'name', value: 'NAME', description: 'With add: their name, as others see it.' },
      { name: 'again', description: 'With add: also somebody who was removed, with whatever is left in their space.' },
      { name: 'purge', description: 'With rm: also purge everything they stored.' },
      { name: 'yes', short: 'y', description: 'With rm: do not ask.' },
      { name: 'remove', description: 'With passwd: remove the password.' },
    ],
    examples: [
      'ltm users',
      'ltm users add --email ada@example.org --name Ada',
      'ltm users passwd ada@example.org',
      'ltm users suspend ada@example.org',
      'ltm users rm ada@example.org --purge',
    ],
    load: async () => (await import('./terminal/users.ts')).users,
  },
  {
    name: 'audit',
    summary: 'Show who changed what about people, teams and tokens',
    about: 'Newest first, from the local database. Changes to memories are in the change feed: GET /api/v1/changes.',
    flags: [
      { name: 'limit', short: 'n', value: 'N', description: 'How many to show.' },
      { name: 'cursor', value: 'CURSOR', description: 'Continue from the cursor of an earlier result.' },
      { name: 'team', value: 'TEAM', description: 'Only entries about this team.' },
    ],
    examples: ['ltm audit', 'ltm audit --team payments --json'],
    load: async () => (await import('./terminal/users.ts')).audit,
  },
];
