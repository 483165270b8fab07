// Made by scripts/precompute-features.ts from what the features declare; a test compares.
import type { CommandLine } from '../cli/command.ts';
import { COMMANDS as service } from './service/commands.ts';

/** The commands of the systems whose words the program understands. */
export const SYSTEM_COMMANDS: readonly CommandLine[] = [...service];
