import type { Command, Flag } from '../command.ts';
import { PAGE_FLAGS } from '../flags.ts';
import { TOKEN_FLAGS } from '../token-flags.ts';

/** For distribute and isolate. */
const CLUSTER_FLAGS: readonly Flag[] = [
  { name: 'dry-run', description: 'With distribute and isolate: only say what would be done.' },
  { name: 'yes', short: 'y', description: 'With distribute and isolate: do not ask.' },
  {
    name: 'shards',
    value: 'N',
    description: "With distribute: how many pieces; the cluster's own default where not said.",
  },
  { name: 'node', value: 'HOST:PORT', description: 'With isolate: the node that is to hold it.' },
  {
    name: 'block-writes',
    description: 'With isolate: let writers wait meanwhile, where the servers have no logical replication.',
  },
];

/** People, teams and tokens on the server. */
export const IDENTITY_COMMANDS: readonly Command[] = [
  {
    name: 'server',
    isLocal: true,
    summary: 'Set up and run a server for several people',
    usage: '[init | issue-token NAME | distribute | isolate WHO] [--addr HOST:PORT] [--external-url URL]',
    about:
      'init makes the database and the owner, and prints the first token, alone, on stdout; again it prints another one. issue-token prints a token for a machine, an agent or a person; without --user and --email it is the owner’s, and all tokens of one person see the same memories. Without a word it serves like `ltm serve`, but starts only where there is a token already. distribute spreads a PostgreSQL database with the Citus extension over its nodes by space, after saying what it will do; isolate gives one space, team or person a shard of its own and, with --node, another server (docs/scaling.md). Every setting can be given as a flag.',
    flags: [
      { name: 'addr', value: 'HOST:PORT', description: 'Where to listen; :8080 is every address of this machine.' },
      ...TOKEN_FLAGS,
      ...CLUSTER_FLAGS,
    ],
    takesSettings: true,
    readsDotEnv: true,
    words: ['init', 'issue-token', 'distribute', 'isolate'],
    maxWords: 2,
    examples: [
      'ltm server init --db /srv/ltm/memory.db',
      'ltm server issue-token laptop',
      'ltm server issue-token ada-laptop --email ada@example.org --expires 90d',
      'ltm server --addr :8080 --external-url https://memory.example.org',
      'ltm server distribute --db postgres://ltm@coordinator/ltm --dry-run',
      'ltm server isolate big-team --node worker3:5432 --db postgres://postgres@coordinator/ltm',
    ],
    load: () => import('../commands/server.ts'),
  },
  {
    name: 'tokens',
    summary: 'List, make and revoke tokens of the local database',
    usage: '[ls | create NAME | revoke ID_OR_NAME]',
    about:
      'create prints the token, alone, on stdout: it is shown this once and kept as a hash. revoke acts at once, on a running server too.',
    flags: [{ name: 'all', short: 'a', description: 'With ls: revoked and expired ones too.' }, ...TOKEN_FLAGS],
    words: ['ls', 'create', 'revoke'],
    maxWords: 2,
    examples: [
      'ltm tokens',
      'ltm tokens create build-server --role reader --expires 30d',
      'ltm tokens revoke build-server',
    ],
    load: () => import('../commands/tokens.ts'),
  },
  {
    name: 'users',
    summary: 'List, add, suspend and remove people of the local database',
    usage: '[ls | add [ID] | suspend WHO | resume WHO | rm WHO | passwd WHO]',
    about:
      'WHO is a user id or an email. A suspended person gets in with nothing, at once, and keeps everything. rm takes tokens, password and memberships; the memories stay until they are purged. passwd asks for a password without showing it, or reads it from stdin.',
    flags: [
      { name: 'email', value: 'EMAIL', description: 'With add: their email.' },
      { name: 'name', value: 'NAME', description: 'With add: their name, as others see it.' },
      { name: 'remove', description: 'With passwd: take the password away.' },
    ],
    words: ['ls', 'add', 'suspend', 'resume', 'rm', 'passwd'],
    maxWords: 2,
    examples: [
      'ltm users',
      'ltm users add --email ada@example.org --name Ada',
      'ltm users passwd ada@example.org',
      'ltm users suspend ada@example.org',
    ],
    load: () => import('../commands/users.ts'),
  },
  {
    name: 'audit',
    summary: 'Show who changed what about people, teams and tokens',
    usage: '',
    about:
      'Newest first, of the local database. What was written to memories is in the change feed: GET /api/v1/changes.',
    flags: [...PAGE_FLAGS, { name: 'team', value: 'TEAM', description: 'Only what concerns this team.' }],
    maxWords: 0,
    examples: ['ltm audit', 'ltm audit --team payments --json'],
    load: () => import('../commands/audit.ts'),
  },
];
