import type { Command } from './command.ts';
import { CLIENT_COMMANDS } from './tables/client-commands.ts';
import { IDENTITY_COMMANDS } from './tables/identity-commands.ts';
import { MEMORY_COMMANDS } from './tables/memory-commands.ts';
import { PACKET_COMMANDS } from './tables/packet-commands.ts';
import { PROGRAM_COMMANDS } from './tables/program-commands.ts';
import { SERVER_COMMANDS } from './tables/server-commands.ts';
import { UPKEEP_COMMANDS } from './tables/upkeep-commands.ts';

/** Everything `ltm` can be told to do, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...SERVER_COMMANDS,
  ...MEMORY_COMMANDS,
  ...PACKET_COMMANDS,
  ...CLIENT_COMMANDS,
  ...IDENTITY_COMMANDS,
  ...UPKEEP_COMMANDS,
  ...PROGRAM_COMMANDS,
];
