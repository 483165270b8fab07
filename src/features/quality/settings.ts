import { after, setting, type ValuesOf } from '../../settings/define-setting.ts';
import { names, onOff } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';

const table = {
  ...after('summarizerDailyCalls', {
    qualityScorer: setting(onOff, false).about(
      'May the summarizer be asked to score memories, within its daily budget. If false, quality comes from ratings and reads alone, and nothing is spent.',
    ),
  }),
  ...after('decayWindowDays', {
    protectedTags: setting(names, ['critical', 'important', 'reference', 'permanent']).about(
      'Tags of memories that are never forgotten or merged away.',
    ),
    protectedTypes: setting(names, []).about('Types of memories that are never forgotten or merged away.'),
  }),
};

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
