import type { Command } from './command.ts';
import { MEMORY_COMMANDS } from './tables/memory-commands.ts';
import { PACKET_COMMANDS } from './tables/packet-commands.ts';
import { PEOPLE_COMMANDS } from './tables/people-commands.ts';
import { UPKEEP_COMMANDS } from './tables/upkeep-commands.ts';

const LINES = [...MEMORY_COMMANDS, ...PACKET_COMMANDS, ...PEOPLE_COMMANDS, ...UPKEEP_COMMANDS];

/** Everything `ltm` can be told to do, in the order of the help. */
export const COMMANDS: readonly Command[] = LINES.map(({ usage = '', flags = [], ...line }) => ({
  ...line,
  usage,
  flags,
  maxWords: usage === '' ? 0 : line.maxWords,
}));
