import { after, optional, setting, type ValuesOf } from '../../settings/define-setting.ts';
import { onOff, text } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';

const table = {
  ...after('project', {
    user: optional(text).about('Your name, as the author of packet drafts. By default your login name.'),
  }),
  ...after('output', {
    lenient: setting(onOff, false).about('Leave the validation of packets to the server (as with --lenient).'),
  }),
};

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
