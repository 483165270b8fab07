import type { Command, Flag } from '../command.ts';
import { TEAM_COMMANDS } from './team-commands.ts';

const TEAM: Flag = {
  name: 'team',
  short: 't',
  value: 'NAME',
  description: "In this team's space instead of your own.",
};
const COPY: readonly Flag[] = [
  { name: 'copy', description: 'To the clipboard instead of stdout.' },
  { name: 'no-copy', description: 'Never to the clipboard.' },
];
const SEND_FLAGS: readonly Flag[] = [
  TEAM,
  {
    name: 'allow-unredacted',
    inline: 'FIELD/KIND,…',
    description: 'Send it although it seems to hold secrets or private paths: all of them, or only the findings named.',
  },
  {
    name: 'lenient',
    description: 'Let the server decide whether it is a packet. It is searched for secrets all the same.',
  },
];
const WHERE = 'Packets are kept on the server of `ltm auth`, or in the database of this machine where there is none.';

/** Packets: save here, resume there. */
export const PACKET_COMMANDS: readonly Command[] = [
  {
    name: 'save',
    summary: 'Save a packet: where this work stands, for the next session',
    usage: '[FILE | -]',
    about: `Without a file, at a terminal: opens a draft in your editor, with the project, branch and commit of this folder and the goal of its last packet, shows what came of it and asks before anything is sent. The rest you write, or your agent with its tool save: ltm does not record sessions, so it cannot fill a draft from one. ${WHERE} Secrets are looked for before the first byte leaves the machine.`,
    flags: SEND_FLAGS,
    maxWords: 1,
    examples: ['ltm save', 'ltm save packet.json', 'ltm example | ltm save - --team crew'],
    load: () => import('../commands/save.ts'),
  },
  {
    name: 'push',
    summary: 'Send a packet from a file or stdin',
    usage: 'FILE | -',
    about: `Prints the packet's id. An id that is there already is replaced, if it is yours. ${WHERE}`,
    flags: SEND_FLAGS,
    maxWords: 1,
    examples: [
      'ltm push packet.json',
      'ltm push - < packet.json',
      'ltm push packet.json --allow-unredacted=goal/abs-path',
    ],
    load: () => import('../commands/push.ts'),
  },
  {
    name: 'pull',
    summary: 'Print a packet as JSON',
    usage: 'ID',
    flags: [TEAM],
    maxWords: 1,
    examples: ['ltm pull 01KA3V7Q2M8XWZ5T9B4CDEFGHJ > packet.json'],
    load: () => import('../commands/pull.ts'),
  },
  {
    name: 'ls',
    summary: 'List packets, the last received first',
    usage: '',
    flags: [
      { name: 'limit', short: 'n', value: 'N', description: 'How many; 50 by default, 500 at most.' },
      TEAM,
      { name: 'search', short: 's', value: 'WORDS', description: 'Those that are about this, the best match first.' },
      { name: 'tag', value: 'TAG', description: 'With this tag.' },
      { name: 'project', short: 'p', value: 'NAME', description: 'Of this project.' },
      { name: 'cursor', value: 'CURSOR', description: 'Go on where an earlier answer stopped.' },
    ],
    maxWords: 0,
    examples: ['ltm ls', 'ltm ls --team crew --search "flaky login"', 'ltm ls --project web --json'],
    load: () => import('../commands/ls.ts'),
  },
  {
    name: 'show',
    summary: 'Show a packet at a glance',
    usage: 'ID',
    flags: [TEAM],
    maxWords: 1,
    examples: ['ltm show 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: () => import('../commands/show.ts'),
  },
  {
    name: 'rm',
    summary: 'Delete a packet; saving it again brings it back',
    usage: 'ID',
    about: 'Yours, or any of a team that you look after.',
    flags: [TEAM],
    maxWords: 1,
    examples: ['ltm rm 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: () => import('../commands/rm.ts'),
  },
  {
    name: 'resume',
    summary: 'Turn a packet into the beginning of a session',
    usage: '[ID]',
    about:
      'With an ID or --latest the text goes to stdout. Without, at a terminal: choose from the last 50; the text goes to the clipboard, or to stdout where there is none.',
    flags: [
      ...COPY,
      { name: 'latest', description: 'The last packet of the project around this folder.' },
      { name: 'project', short: 'p', value: 'NAME', description: 'Of this project.' },
      { name: 'with-ancestors', description: 'Add the locked decisions of the packets it continues.' },
      TEAM,
    ],
    maxWords: 1,
    examples: ['ltm resume', 'ltm resume --latest | claude', 'ltm resume 01KA3V7Q2M8XWZ5T9B4CDEFGHJ --copy'],
    load: () => import('../commands/resume.ts'),
  },
  {
    name: 'example',
    summary: 'Print a packet to learn from',
    usage: '',
    flags: [{ name: 'resume', description: 'What the next session reads, to the clipboard.' }, COPY[1]!],
    maxWords: 0,
    examples: ['ltm example > packet.json', 'ltm example --resume --no-copy'],
    load: () => import('../commands/example.ts'),
  },
  {
    name: 'publish',
    summary: 'Make a packet readable for everybody who has its address',
    usage: 'ID',
    about:
      'Prints the address, which nobody can guess. Publishing again changes nothing; `ltm unpublish` takes the page away.',
    flags: [TEAM],
    maxWords: 1,
    examples: ['ltm publish 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: () => import('../commands/publish.ts'),
  },
  {
    name: 'unpublish',
    summary: 'Take a published packet back',
    usage: 'ID',
    flags: [TEAM],
    maxWords: 1,
    examples: ['ltm unpublish 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: () => import('../commands/unpublish.ts'),
  },
  {
    name: 'log',
    summary: 'Show what a packet continues, step by step',
    usage: 'ID',
    flags: [TEAM],
    maxWords: 1,
    examples: ['ltm log 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: () => import('../commands/log.ts'),
  },
  {
    name: 'diff',
    summary: 'Show what two packets say differently',
    usage: 'ID ID',
    flags: [TEAM],
    maxWords: 2,
    examples: ['ltm diff 01KA1N0R6S4YKPH2V7T8ABCDEF 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: () => import('../commands/diff.ts'),
  },
  ...TEAM_COMMANDS,
];
