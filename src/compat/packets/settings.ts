import type { SettingPart } from '../../settings/settings.ts';
import { earlierConfig } from './earlier-config.ts';

export const settings: SettingPart = { earlier: earlierConfig };
