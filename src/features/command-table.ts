// Made by scripts/precompute-features.ts from what the features declare; a test compares.
import type { Command } from '../cli/command.ts';
import { completeLine } from '../cli/complete-line.ts';
import { OWN_COMMANDS } from '../cli/own-commands.ts';
import { SYSTEM_COMMANDS } from '../compat/command-table.ts';
import { COMMANDS as backups } from './backups/commands.ts';
import { COMMANDS as consolidation } from './consolidation/commands.ts';
import { COMMANDS as documents } from './documents/commands.ts';
import { COMMANDS as evaluation } from './evaluation/commands.ts';
import { COMMANDS as graph } from './graph/commands.ts';
import { COMMANDS as harvest } from './harvest/commands.ts';
import { COMMANDS as history } from './history/commands.ts';
import { COMMANDS as maintenance } from './maintenance/commands.ts';
import { COMMANDS as memories } from './memories/commands.ts';
import { COMMANDS as packets } from './packets/commands.ts';
import { COMMANDS as people } from './people/commands.ts';
import { COMMANDS as quality } from './quality/commands.ts';
import { COMMANDS as sessions } from './sessions/commands.ts';
import { COMMANDS as setup } from './setup/commands.ts';
import { COMMANDS as summaries } from './summaries/commands.ts';
import { COMMANDS as sync } from './sync/commands.ts';
import { COMMANDS as transfer } from './transfer/commands.ts';
import { COMMANDS as truth } from './truth/commands.ts';
import { COMMANDS as workspaces } from './workspaces/commands.ts';

/** Everything `ltm` can be told to do. */
export const COMMANDS: readonly Command[] = [
  ...OWN_COMMANDS,
  ...memories,
  ...packets,
  ...sessions,
  ...summaries,
  ...workspaces,
  ...consolidation,
  ...documents,
  ...graph,
  ...quality,
  ...history,
  ...truth,
  ...transfer,
  ...sync,
  ...maintenance,
  ...people,
  ...evaluation,
  ...harvest,
  ...setup,
  ...backups,
  ...SYSTEM_COMMANDS,
].map(completeLine);
