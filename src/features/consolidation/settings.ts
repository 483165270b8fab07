import { after, setting, type ValuesOf } from '../../settings/define-setting.ts';
import { choice, names, onOff, readList, type SettingKind } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';
import { FORGET_MODES } from './consolidation.ts';
import { readSchedule } from './read-schedule.ts';

/** Horizons, each with its time. */
const schedules: SettingKind<readonly string[]> = {
  allowed: 'a comma-separated list such as "daily 02:00, weekly SUN 03:00, monthly 01 04:00, yearly 01-01 06:00"',
  read: (raw) => readList(raw, (item) => (readSchedule(item) === null ? undefined : item)),
};

const table = after('qualityScorer', {
  consolidationSchedule: setting(schedules, []).about(
    'When consolidation runs by itself on a server, in time_zone, such as "daily 02:00, weekly SUN 03:00, monthly 01 04:00, quarterly 01 05:00, yearly 01-01 06:00". Empty means never.',
  ),
  consolidationForget: setting(choice(FORGET_MODES), 'careful').about(
    'What consolidation may archive: off, careful (temporary notes, noise, what was rated bad) or aged (also what has lost its relevance or was not needed for long).',
  ),
  maintainAutoResolve: setting(onOff, false, ['MCP_MAINTAIN_AUTO_RESOLVE']).about(
    'Let `ltm maintain --apply` put the older of two memories that plainly contradict each other behind the newer one. If false, conflicts are only counted.',
  ),
  insightCards: setting(onOff, false, ['MCP_INSIGHT_CARDS_ENABLED']).about(
    'Store insights that `ltm maintain --apply` finds as memories. If false, they are only listed.',
  ),
  insightExcludeTags: setting(names, [], ['MCP_INSIGHT_EXCLUDE_TAGS']).about('Tags that insights say nothing about.'),
});

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
