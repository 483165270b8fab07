import { CORE_SETTINGS } from '../engine/default-settings.ts';
import type { EngineSettings } from '../engine/engine-settings.ts';
import { defaultsOf } from '../settings/settings.ts';
import { SETTING_PARTS } from './settings.ts';

/** What an engine of all features goes by where nobody says anything. */
export const DEFAULT_SETTINGS: EngineSettings = { ...CORE_SETTINGS, ...defaultsOf(SETTING_PARTS) };
