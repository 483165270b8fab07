import type { Command } from './command.ts';
import { completeLine } from './complete-line.ts';
import { AGEING_COMMANDS } from './tables/ageing-commands.ts';
import { BACKUP_COMMANDS } from './tables/backup-commands.ts';
import { DOCUMENT_COMMANDS } from './tables/document-commands.ts';
import { GRAPH_COMMANDS } from './tables/graph-commands.ts';
import { HISTORY_COMMANDS } from './tables/history-commands.ts';
import { MEMORY_COMMANDS } from './tables/memory-commands.ts';
import { PACKET_COMMANDS } from './tables/packet-commands.ts';
import { PEOPLE_COMMANDS } from './tables/people-commands.ts';
import { SERVICE_COMMANDS } from './tables/service-commands.ts';
import { SESSION_COMMANDS } from './tables/session-commands.ts';
import { SETUP_COMMANDS } from './tables/setup-commands.ts';
import { SYNC_COMMANDS } from './tables/sync-commands.ts';
import { TRANSCRIPT_COMMANDS } from './tables/transcript-commands.ts';
import { UPKEEP_COMMANDS } from './tables/upkeep-commands.ts';
import { WORKSPACE_COMMANDS } from './tables/workspace-commands.ts';

const LINES = [
  ...WORKSPACE_COMMANDS,
  ...MEMORY_COMMANDS,
  ...GRAPH_COMMANDS,
  ...HISTORY_COMMANDS,
  ...DOCUMENT_COMMANDS,
  ...PACKET_COMMANDS,
  ...AGEING_COMMANDS,
  ...SESSION_COMMANDS,
  ...TRANSCRIPT_COMMANDS,
  ...SETUP_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...UPKEEP_COMMANDS,
  ...BACKUP_COMMANDS,
  ...SERVICE_COMMANDS,
  ...SYNC_COMMANDS,
];

/** Everything `ltm` can be told to do, in the order of the help. */
export const COMMANDS: readonly Command[] = LINES.map(completeLine);
