import type { CommandLine } from '../command.ts';
import { TOKEN_FLAGS } from '../token-flags.ts';

/** Signing in to a server and reaching it; people, teams and tokens on it. */
export const PEOPLE_COMMANDS: readonly CommandLine[] = [
  {
    name: 'auth',
    summary: 'Sign in to a server',
    usage: '[HOST [TOKEN] | whoami | ls | logout [HOST]]',
    about:
      'With a host: shows a code to confirm in a browser. With a host and a token: keeps the token. Every command, `ltm mcp` and `ltm bridge` then use that server, with the same memory that agents see there; sign-ins are kept per server, in a file that only you can read. `ltm auth logout` returns to the database of this machine; --local asks it for one command.',
    flags: [{ name: 'no-browser', description: 'Do not open a browser.' }],
    examples: [
      'ltm auth https://memory.example.com',
      'ltm auth http://localhost:8000 "$(ltm token --show)"',
      'ltm auth whoami',
      'ltm auth logout',
    ],
    load: async () => (await import('../commands/auth.ts')).auth,
  },
  {
    name: 'bridge',
    summary: 'Let an agent that only speaks stdio use a server (MCP)',
    usage: '[URL]',
    about:
      'Carries MCP between stdin and stdout and the server, with the token of `ltm auth` or of LTM_TOKEN. Without a URL: the server signed in to. An address that ends in /sse is one of the older HTTP+SSE transport.',
    examples: [
      'claude mcp add -s user ltm -- ltm bridge https://memory.example.com/mcp',
      'LTM_TOKEN=… ltm bridge http://localhost:8000/mcp?tools=networked',
    ],
    load: async () => (await import('../commands/auth.ts')).bridge,
  },
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
    ],
    takesSettings: true,
    readsDotEnv: true,
    examples: [
      'ltm server init --db /srv/ltm/memory.db',
      'ltm server issue-token laptop',
      'ltm server issue-token ada-laptop --email ada@example.org --expires 90d',
      'ltm server --addr :8080 --external-url https://memory.example.org',
      'ltm server distribute --db postgres://ltm@coordinator/ltm --dry-run',
      'ltm server isolate big-team --node worker3:5432 --db postgres://postgres@coordinator/ltm',
    ],
    load: async () => (await import('../commands/server.ts')).server,
  },
  {
    name: 'tokens',
    summary: 'List, make and revoke tokens of the local database',
    usage: '[ls | create NAME | revoke ID_OR_NAME]',
    about:
      'create prints the token, alone, on stdout: it is shown this once and kept as a hash. revoke acts at once, on a running server too.',
    flags: [{ name: 'all', short: 'a', description: 'With ls: revoked and expired ones too.' }, ...TOKEN_FLAGS],
    examples: [
      'ltm tokens',
      'ltm tokens create build-server --role reader --expires 30d',
      'ltm tokens revoke build-server',
    ],
    load: async () => (await import('../commands/tokens.ts')).tokens,
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
    examples: [
      'ltm users',
      'ltm users add --email ada@example.org --name Ada',
      'ltm users passwd ada@example.org',
      'ltm users suspend ada@example.org',
    ],
    load: async () => (await import('../commands/users.ts')).users,
  },
  {
    name: 'audit',
    summary: 'Show who changed what about people, teams and tokens',
    about:
      'Newest first, of the local database. What was written to memories is in the change feed: GET /api/v1/changes.',
    flags: [
      { name: 'limit', short: 'n', value: 'N', description: 'How many to show.' },
      { name: 'cursor', value: 'CURSOR', description: 'Go on where an earlier answer stopped.' },
      { name: 'team', value: 'TEAM', description: 'Only what concerns this team.' },
    ],
    examples: ['ltm audit', 'ltm audit --team payments --json'],
    load: async () => (await import('../commands/users.ts')).audit,
  },
];
