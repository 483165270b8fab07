import type { CommandLine, Flag } from '../../cli/command.ts';
import { commandOf, flagsOf } from '../../cli/verb-command.ts';
import { TEAM } from '../../verbs/team-flag.ts';
import { getPacket, listAncestors } from './verbs/get-packet.ts';
import { listPackets } from './verbs/list-packets.ts';
import { WHERE } from './verbs/packet-input.ts';
import { deletePacket, publishPacket, unpublishPacket } from './verbs/publish-packet.ts';
import { savePacket } from './verbs/save-packet.ts';

const NO_COPY: Flag = { name: 'no-copy', description: 'Never copy to the clipboard.' };

export const COMMANDS: readonly CommandLine[] = [
  {
    name: 'save',
    summary: 'Save a packet: the state of this work for the next session',
    usage: '[FILE | -]',
    about: `Without a file, on a terminal, opens a draft in your editor. The draft has the project, branch and commit of this directory, the goal of its latest packet, and what the latest session there decided, tried and left open, if \`ltm setup\` has connected the agent. ltm shows the result and asks before it sends anything. ${WHERE} The packet is scanned for secrets before it leaves the machine.`,
    flags: flagsOf(savePacket),
    examples: ['ltm save', 'ltm save packet.json', 'ltm example | ltm save - --team crew'],
    load: async () => (await import('./terminal/write-packets.ts')).save,
  },
  commandOf(savePacket, async () => (await import('./terminal/write-packets.ts')).push),
  commandOf(getPacket, async () => (await import('./terminal/read-packets.ts')).pull),
  commandOf(listPackets, async () => (await import('./terminal/read-packets.ts')).ls),
  {
    ...commandOf(getPacket, async () => (await import('./terminal/read-packets.ts')).show),
    name: 'show',
    reads: true,
    summary: 'Show a packet at a glance',
    examples: ['ltm show 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
  },
  commandOf(deletePacket, async () => (await import('./terminal/write-packets.ts')).rm),
  {
    name: 'resume',
    reads: true,
    summary: 'Start a session from a packet',
    usage: '[ID]',
    about:
      'With an ID or --latest, prints the text to stdout. Otherwise, on a terminal, lets you choose from the latest 50 and copies the text to the clipboard, or prints it if there is no clipboard.',
    flags: [
      { name: 'copy', description: 'Copy to the clipboard instead of printing.' },
      NO_COPY,
      { name: 'latest', description: 'The latest packet of the project in this directory.' },
      { name: 'project', short: 'p', value: 'NAME', description: 'Only this project.' },
      { name: 'with-ancestors', description: 'Include locked decisions of its ancestors.' },
      TEAM,
    ],
    examples: ['ltm resume', 'ltm resume --latest | claude', 'ltm resume 01KA3V7Q2M8XWZ5T9B4CDEFGHJ --copy'],
    load: async () => (await import('./terminal/read-packets.ts')).resume,
  },
  {
    name: 'example',
    summary: 'Print an example packet',
    flags: [
      { name: 'resume', description: 'Show what the next session reads instead, copied to the clipboard.' },
      NO_COPY,
    ],
    examples: ['ltm example > packet.json', 'ltm example --resume --no-copy'],
    load: async () => (await import('./terminal/read-packets.ts')).example,
  },
  commandOf(publishPacket, async () => (await import('./terminal/write-packets.ts')).publish),
  commandOf(unpublishPacket, async () => (await import('./terminal/write-packets.ts')).unpublish),
  commandOf(listAncestors, async () => (await import('./terminal/read-packets.ts')).log),
  {
    name: 'diff',
    reads: true,
    summary: 'Show the differences between two packets',
    usage: 'ID ID',
    flags: [TEAM],
    examples: ['ltm diff 01KA1N0R6S4YKPH2V7T8ABCDEF 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: async () => (await import('./terminal/read-packets.ts')).diff,
  },
];
