import { getPacket, listAncestors } from '../../verbs/packets/get-packet.ts';
import { listPackets } from '../../verbs/packets/list-packets.ts';
import { TEAM, WHERE } from '../../verbs/packets/packet-input.ts';
import { deletePacket, publishPacket, unpublishPacket } from '../../verbs/packets/publish-packet.ts';
import { savePacket } from '../../verbs/packets/save-packet.ts';
import type { Command, Flag } from '../command.ts';
import { commandOf, flagsOf } from '../verb-command.ts';
import { TEAM_COMMANDS } from './team-commands.ts';

const COPY: readonly Flag[] = [
  { name: 'copy', description: 'To the clipboard instead of stdout.' },
  { name: 'no-copy', description: 'Never to the clipboard.' },
];

/** Packets: save here, resume there. */
export const PACKET_COMMANDS: readonly Command[] = [
  {
    name: 'save',
    summary: 'Save a packet: where this work stands, for the next session',
    usage: '[FILE | -]',
    about: `Without a file, at a terminal: opens a draft in your editor, with the project, branch and commit of this folder and the goal of its last packet, shows what came of it and asks before anything is sent. The rest you write, or your agent with its tool save: ltm does not record sessions, so it cannot fill a draft from one. ${WHERE} Secrets are looked for before the first byte leaves the machine.`,
    flags: flagsOf(savePacket),
    maxWords: 1,
    examples: ['ltm save', 'ltm save packet.json', 'ltm example | ltm save - --team crew'],
    load: () => import('../commands/save.ts'),
  },
  commandOf(savePacket, () => import('../commands/push.ts')),
  commandOf(getPacket, () => import('../commands/pull.ts')),
  commandOf(listPackets, () => import('../commands/ls.ts')),
  {
    ...commandOf(getPacket, () => import('../commands/show.ts')),
    name: 'show',
    summary: 'Show a packet at a glance',
    examples: ['ltm show 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
  },
  commandOf(deletePacket, () => import('../commands/rm.ts')),
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
  commandOf(publishPacket, () => import('../commands/publish.ts')),
  commandOf(unpublishPacket, () => import('../commands/unpublish.ts')),
  commandOf(listAncestors, () => import('../commands/log.ts')),
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
