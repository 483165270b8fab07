import { after, setting, type ValuesOf } from '../../settings/define-setting.ts';
import { onOff } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';

const table = after('maxUploadBytes', {
  ingestUrls: setting(onOff, false).about(
    'Allow documents to be ingested from URLs: this program then asks the servers of others, on public addresses only.',
  ),
});

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
