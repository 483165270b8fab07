// Made by scripts/precompute-features.ts from what the features declare; a test compares.
import { SYSTEM_SETTINGS } from '../compat/settings.ts';
import { joinSettings, type SettingPart } from '../settings/settings.ts';
import { settings as backups } from './backups/settings.ts';
import { settings as consolidation } from './consolidation/settings.ts';
import { settings as documents } from './documents/settings.ts';
import { settings as doors } from './door-settings.ts';
import { settings as packets } from './packets/settings.ts';
import { settings as quality } from './quality/settings.ts';
import { settings as sessions } from './sessions/settings.ts';
import { settings as summaries } from './summaries/settings.ts';
import { settings as workspaces } from './workspaces/settings.ts';

/** What systems, doors and features say of settings; those after the same setting are listed in this order. */
export const SETTING_PARTS: readonly SettingPart[] = [
  doors,
  ...SYSTEM_SETTINGS,
  packets,
  sessions,
  summaries,
  workspaces,
  consolidation,
  documents,
  quality,
  backups,
];

/** All that the program can be told. */
export const DECLARED_SETTINGS = joinSettings(SETTING_PARTS);
