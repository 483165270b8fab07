import type { Command } from '../command.ts';

const PLATFORM: Omit<Command, 'name'> = {
  summary: 'Print the address of the server in use',
  usage: '',
  flags: [],
  maxWords: 0,
  examples: ['ltm platform'],
  load: () => import('../commands/platform.ts'),
};

/** Working with others, and the server that is used for it. */
export const TEAM_COMMANDS: readonly Command[] = [
  {
    name: 'teams',
    summary: 'Make teams and look after them',
    usage:
      '[ls | create TEAM | rm TEAM | members TEAM | leave TEAM | transfer TEAM USER | remove TEAM USER | role TEAM USER ROLE]',
    about:
      'USER is an id, as `ltm teams members` shows it, or an email. ROLE is reader, member or admin. The owner hands a team over with transfer, and deletes it with rm, together with everything in it.',
    flags: [{ name: 'yes', short: 'y', description: 'Do not ask before a team is deleted.' }],
    words: ['ls', 'create', 'rm', 'members', 'leave', 'transfer', 'remove', 'role'],
    maxWords: 4,
    examples: ['ltm teams create crew', 'ltm teams members crew', 'ltm teams transfer crew ada@example.com'],
    load: () => import('../commands/teams.ts'),
  },
  {
    name: 'invite',
    summary: 'Invite somebody to a team',
    usage: '--team NAME',
    about:
      'Prints an address to send them: good for one person, for seven days. It opens in a browser, and `ltm join` takes it.',
    flags: [{ name: 'team', short: 't', value: 'NAME', description: 'The team.' }],
    maxWords: 0,
    examples: ['ltm invite --team crew'],
    load: () => import('../commands/invite.ts'),
  },
  {
    name: 'join',
    summary: 'Join a team by an invite',
    usage: 'URL | CODE',
    about:
      'With the account you have on that server; without one, a new account is made and its token kept for that server alone.',
    flags: [{ name: 'display', value: 'NAME', description: 'Your name for the others, where a new account is made.' }],
    maxWords: 1,
    examples: [
      'ltm join https://memory.example.com/v1/invites/3f…',
      'ltm join https://memory.example.com/v1/invites/3f… --display Ada',
    ],
    load: () => import('../commands/join.ts'),
  },
  { name: 'platform', ...PLATFORM },
  { name: 'dashboard', ...PLATFORM, summary: 'The same as `ltm platform`', examples: ['ltm dashboard'] },
  {
    name: 'update',
    summary: 'Show which version this is and how to get a newer one',
    usage: '',
    about: 'Asks nothing over the network: it says which commands do.',
    flags: [{ name: 'check', description: 'The same; for scripts that know it from elsewhere.' }],
    maxWords: 0,
    examples: ['ltm update --check'],
    load: () => import('../commands/update.ts'),
  },
];
