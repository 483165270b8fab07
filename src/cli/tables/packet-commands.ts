import { getPacket, listAncestors } from '../../verbs/packets/get-packet.ts';
import { listPackets } from '../../verbs/packets/list-packets.ts';
import { TEAM, WHERE } from '../../verbs/packets/packet-input.ts';
import { deletePacket, publishPacket, unpublishPacket } from '../../verbs/packets/publish-packet.ts';
import { savePacket } from '../../verbs/packets/save-packet.ts';
import type { CommandLine, Flag } from '../command.ts';
import { commandOf, flagsOf } from '../verb-command.ts';

const NO_COPY: Flag = { name: 'no-copy', description: 'Never to the clipboard.' };

const PLATFORM: Omit<CommandLine, 'name'> = {
  summary: 'Print the address of the server in use',
  examples: ['ltm platform'],
  load: async () => (await import('../commands/program.ts')).platform,
};

/** Packets: save here, resume there; working with others, and the server that is used for it. */
export const PACKET_COMMANDS: readonly CommandLine[] = [
  {
    name: 'save',
    summary: 'Save a packet: where this work stands, for the next session',
    usage: '[FILE | -]',
    about: `Without a file, at a terminal: opens a draft in your editor, with the project, branch and commit of this folder and the goal of its last packet, shows what came of it and asks before anything is sent. The rest you write, or your agent with its tool save: ltm does not record sessions, so it cannot fill a draft from one. ${WHERE} Secrets are looked for before the first byte leaves the machine.`,
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
    summary: 'Show a packet at a glance',
    examples: ['ltm show 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
  },
  commandOf(deletePacket, async () => (await import('../commands/write-packets.ts')).rm),
  {
    name: 'resume',
    summary: 'Turn a packet into the beginning of a session',
    usage: '[ID]',
    about:
      'With an ID or --latest the text goes to stdout. Without, at a terminal: choose from the last 50; the text goes to the clipboard, or to stdout where there is none.',
    flags: [
      { name: 'copy', description: 'To the clipboard instead of stdout.' },
      NO_COPY,
      { name: 'latest', description: 'The last packet of the project around this folder.' },
      { name: 'project', short: 'p', value: 'NAME', description: 'Of this project.' },
      { name: 'with-ancestors', description: 'Add the locked decisions of the packets it continues.' },
      TEAM,
    ],
    examples: ['ltm resume', 'ltm resume --latest | claude', 'ltm resume 01KA3V7Q2M8XWZ5T9B4CDEFGHJ --copy'],
    load: async () => (await import('../commands/read-packets.ts')).resume,
  },
  {
    name: 'example',
    summary: 'Print a packet to learn from',
    flags: [{ name: 'resume', description: 'What the next session reads, to the clipboard.' }, NO_COPY],
    examples: ['ltm example > packet.json', 'ltm example --resume --no-copy'],
    load: async () => (await import('../commands/read-packets.ts')).example,
  },
  commandOf(publishPacket, async () => (await import('../commands/write-packets.ts')).publish),
  commandOf(unpublishPacket, async () => (await import('../commands/write-packets.ts')).unpublish),
  commandOf(listAncestors, async () => (await import('../commands/read-packets.ts')).log),
  {
    name: 'diff',
    summary: 'Show what two packets say differently',
    usage: 'ID ID',
    flags: [TEAM],
    examples: ['ltm diff 01KA1N0R6S4YKPH2V7T8ABCDEF 01KA3V7Q2M8XWZ5T9B4CDEFGHJ'],
    load: async () => (await import('../commands/read-packets.ts')).diff,
  },
  {
    name: 'teams',
    summary: 'Make teams and look after them',
    usage:
      '[ls | create TEAM | rm TEAM | members TEAM | leave TEAM | transfer TEAM USER | remove TEAM USER | role TEAM USER ROLE]',
    about:
      'USER is an id, as `ltm teams members` shows it, or an email. ROLE is reader, member or admin. The owner hands a team over with transfer, and deletes it with rm, together with everything in it.',
    flags: [{ name: 'yes', short: 'y', description: 'Do not ask before a team is deleted.' }],
    examples: ['ltm teams create crew', 'ltm teams members crew', 'ltm teams transfer crew ada@example.com'],
    load: async () => (await import('../commands/teams.ts')).teams,
  },
  {
    name: 'invite',
    summary: 'Invite somebody to a team',
    usage: '--team NAME',
    about:
      'Prints an address to send them: good for one person, for seven days. It opens in a browser, and `ltm join` takes it.',
    flags: [{ name: 'team', short: 't', value: 'NAME', description: 'The team.' }],
    examples: ['ltm invite --team crew'],
    load: async () => (await import('../commands/teams.ts')).invite,
  },
  {
    name: 'join',
    summary: 'Join a team by an invite',
    usage: 'URL | CODE',
    about:
      'With the account you have on that server; without one, a new account is made and its token kept for that server alone.',
    flags: [{ name: 'display', value: 'NAME', description: 'Your name for the others, where a new account is made.' }],
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
    summary: 'Show which version this is and how to get a newer one',
    about: 'Asks nothing over the network: it says which commands do.',
    flags: [{ name: 'check', description: 'The same; for scripts that know it from elsewhere.' }],
    examples: ['ltm update --check'],
    load: async () => (await import('../commands/program.ts')).update,
  },
];
