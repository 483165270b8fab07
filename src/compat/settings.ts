// Made by scripts/precompute-features.ts from what the features declare; a test compares.
import type { SettingPart } from '../settings/settings.ts';
import { settings as packets } from './packets/settings.ts';
import { settings as service } from './service/settings.ts';
import { settings as workspaces } from './workspaces/settings.ts';

/** What the systems say of settings. */
export const SYSTEM_SETTINGS: readonly SettingPart[] = [packets, workspaces, service];
