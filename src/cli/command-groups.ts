export interface CommandGroup {
  title: string;
  /** What tells its commands from those of other groups that sound alike. */
  about?: string;
  names: readonly string[];
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
    names: ['store', 'search', 'get', 'list', 'edit', 'delete', 'restore', 'history', 'purge', 'stats', 'export'],
  },
  {
    title: 'Graph',
    about: 'how memories are related',
    names: ['relate', 'unrelate', 'relations', 'graph'],
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
    names: ['workspaces', 'notes', 'note'],
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
      'users',
      'tokens',
      'token',
      'audit',
    ],
  },
  {
    title: 'Upkeep',
    names: ['quality', 'rate', 'doctor', 'scrub', 'migrate', 'embedder', 'eval', 'logs'],
  },
  {
    title: 'This program',
    names: ['config', 'completion', 'update', 'version', 'help'],
  },
];
