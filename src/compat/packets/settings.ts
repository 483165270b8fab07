import type { SettingPart } from '../../settings/settings.ts';
import { readEarlierConfig, removeEarlierValue } from './earlier-config.ts';

export const settings: SettingPart = { earlier: { read: readEarlierConfig, remove: removeEarlierValue } };
