import { after, optional, type ValuesOf } from '../../settings/define-setting.ts';
import { integer } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';

const table = after('workers', {
  observePort: optional(integer(0, 65535)).about(
    'A second port of `ltm serve`, on 127.0.0.1 and without TLS, for programs that know LongMem at 38741. By default there is none.',
  ),
});

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
