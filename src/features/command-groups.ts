export interface CommandGroup {
  title: string;
  /** What tells its commands from those of other groups that sound alike. */
  about?: string;
  names: readonly string[];
}

/** Commands that sound alike, and what tells them apart. */
const TWINS: readonly { names: readonly [string, string]; difference: string }[] = [
  {
    names: ['store', 'save'],
    difference: '`ltm store` keeps a memory, `ltm save` a packet: the state of a piece of work.',
  },
  { names: ['list', 'ls'], difference: '`ltm list` lists memories, `ltm ls` packets.' },
  { names: ['get', 'show'], difference: '`ltm get` shows memories, `ltm show` a packet.' },
  { names: ['delete', 'rm'], difference: '`ltm delete` deletes memories, `ltm rm` a packet.' },
  {
    names: ['serve', 'server'],
    difference: '`ltm serve` starts a server, for you alone if need be; `ltm server` sets one up for several people.',
  },
  {
    names: ['token', 'tokens'],
    difference:
      '`ltm token` shows the owner’s token; `ltm tokens` lists, creates and revokes those of machines and people.',
  },
];

export function tellTwinsApart(name: string): string | null {
  return TWINS.find(({ names }) => names.includes(name))?.difference ?? null;
}

/** How the help orders commands: what people do first stands first. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Start',
    names: ['setup', 'status', 'mcp', 'serve', 'import', 'harvest'],
  },
  {
    title: 'Memories',
    about: 'what agents and you have stored, one idea each',
    names: [
      'store',
      'search',
      'get',
      'list',
      'edit',
      'delete',
      'restore',
      'reject',
      'rejected',
      'history',
      'changes',
      'undo',
      'purge',
      'stats',
      'export',
    ],
  },
  {
    title: 'Graph',
    about: 'how memories are related, and what they mention',
    names: ['relate', 'unrelate', 'relations', 'graph', 'infer', 'about', 'entities', 'conflicts', 'resolve'],
  },
  {
    title: 'Documents',
    about: 'files and pages that others wrote, found section by section',
    names: ['ingest', 'documents'],
  },
  {
    title: 'Sessions',
    about: 'what happened, captured by hooks',
    names: ['timeline', 'sessions', 'observations', 'context', 'spend', 'privacy', 'hook'],
  },
  {
    title: 'Packets',
    about: 'the state of a piece of work, handed to the next session',
    names: ['save', 'resume', 'ls', 'show', 'push', 'pull', 'rm', 'log', 'diff', 'publish', 'unpublish', 'example'],
  },
  {
    title: 'Workspaces',
    about: 'notes and transcripts of every machine',
    names: ['workspaces', 'overview', 'notes', 'note', 'transcripts', 'transcript', 'sync', 'mirror'],
  },
  {
    title: 'People and servers',
    names: [
      'auth',
      'teams',
      'invite',
      'join',
      'bridge',
      'platform',
      'dashboard',
      'server',
      'memory',
      'users',
      'tokens',
      'token',
      'audit',
    ],
  },
  {
    title: 'Upkeep',
    names: [
      'quality',
      'rate',
      'consolidate',
      'cleanup',
      'merge',
      'archive',
      'maintain',
      'insights',
      'doctor',
      'backup',
      'scrub',
      'migrate',
      'embedder',
      'eval',
      'logs',
    ],
  },
  {
    title: 'This program',
    names: ['config', 'completion', 'update', 'version', 'help'],
  },
];
