import { getPacket, listAncestors } from '../../verbs/packets/get-packet.ts';
import { listPackets } from '../../verbs/packets/list-packets.ts';
import { TEAM, WHERE } from '../../verbs/packets/packet-input.ts';
import { deletePacket, publishPacket, unpublishPacket } from '../../verbs/packets/publish-packet.ts';
import { savePacket } from '../../verbs/packets/save-packet.ts';
import type { CommandLine, Flag } from '../command.ts';
import { commandOf, flagsOf } from '../verb-command.ts';

const NO_COPY: Flag = { name: 'no-copy', description: 'Never copy to the clipboard.' };

const PLATFORM: Omit<CommandLine, 'name'> = {
  summary: 'Print the URL of the server in use',
  examples: ['ltm platform'],
  load: async () => (await import('../commands/program.ts')).platform,
};

/** Packets: save here, resume there; working with others, and the server that is used for it. */
export const PACKET_COMMANDS: readonly CommandLine[] = [
  {
    name: 'save',
    summary: 'Save a packet: the state of this work for the next session',
    usage: '[FILE | -]',
    about: `Without a file, on a terminal, opens a draft in your editor. The draft has the project, branch and commit of this directory, the goal of its latest packet, and what the latest session there decided, tried and left open, if \`ltm setup\` has connected the agent. ltm shows the result and asks before it sends anything. ${WHERE} The packet is scanned for secrets before it leaves the machine.`,
    flags: flagsOf(savePacket),
    examples: ['ltm save', 'ltm save packet.json', 'ltm example | ltm save - --team crew'],
    load: async () => (await import('../commands/write-packets.ts')).save,
  },
  commandOf(savePacket, async () => (await import('../commands/write-packets.ts')).push),
  commandOf(getPacket, async () => (await import('../commands/read-packets.ts')).pull),
  commandOf(listPackets, async () => (await import('../commands/read-packets.ts')).ls),
  {
    ...commandOf(getPacket, async () => (await import('../commands/read-packets.ts')).show),
    name: 'show',
    reads: true,
    summary: 'Show a packet at a glance',
    examples: ['ltm show 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
  },
  commandOf(deletePacket, async () => (await import('../commands/write-packets.ts')).rm),
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
    load: async () => (await import('../commands/read-packets.ts')).resume,
  },
  {
    name: 'example',
    summary: 'Print an example packet',
    flags: [
      { name: 'resume', description: 'Show what the next session reads instead, copied to the clipboard.' },
      NO_COPY,
    ],
    examples: ['ltm example > packet.json', 'ltm example --resume --no-copy'],
    load: async () => (await import('../commands/read-packets.ts')).example,
  },
  commandOf(publishPacket, async () => (await import('../commands/write-packets.ts')).publish),
  commandOf(unpublishPacket, async () => (await import('../commands/write-packets.ts')).unpublish),
  commandOf(listAncestors, async () => (await import('../commands/read-packets.ts')).log),
  {
    name: 'diff',
    reads: true,
    summary: 'Show the differences between two packets',
    usage: 'ID ID',
    flags: [TEAM],
    examples: ['ltm diff 01KA1N0R6S4YKPH2V7T8ABCDEF 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: async () => (await import('../commands/read-packets.ts')).diff,
  },
  {
    name: 'teams',
    summary: 'Create and manage teams',
    usage:
      '[ls | create TEAM | rm TEAM | members TEAM | leave TEAM | transfer TEAM USER | remove TEAM USER | role TEAM USER ROLE]',
    about:
      'USER is an id, as `ltm teams members` shows it, or an email. ROLE is reader, member or admin. The owner can transfer a team, or delete it and everything in it with rm.',
    flags: [{ name: 'yes', short: 'y', description: 'Do not ask before deleting a team.' }],
    examples: ['ltm teams create crew', 'ltm teams members crew', 'ltm teams transfer crew ada@example.com'],
    load: async () => (await import('../commands/teams.ts')).teams,
  },
  {
    name: 'invite',
    summary: 'Invite a person to a team',
    usage: '--team NAME',
    about: 'Prints a link to send to one person. It works once, for seven days, in a browser or with `ltm join`.',
    flags: [{ name: 'team', short: 't', value: 'NAME', description: 'The team.' }],
    examples: ['ltm invite --team crew'],
    load: async () => (await import('../commands/teams.ts')).invite,
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
    load: async () => (await import('../commands/join.ts')).join,
  },
  { name: 'platform', ...PLATFORM },
  { name: 'dashboard', ...PLATFORM, summary: 'The same as `ltm platform`', examples: ['ltm dashboard'] },
  {
    name: 'update',
    summary: 'Show the version and how to upgrade',
    about: 'Does not use the network. Prints the commands that check for a newer version and install it.',
    flags: [{ name: 'check', description: 'Does the same; for compatibility with other tools.' }],
    examples: ['ltm update --check'],
    load: async () => (await import('../commands/program.ts')).update,
  },
];
