import { DEFAULT_SETTINGS as ENGINE } from '../../engine/default-settings.ts';
import { setting } from '../../settings/define-setting.ts';
import { choice, integer, names, onOff, schedules } from '../../settings/setting-kinds.ts';
import { FORGET_MODES } from './consolidation.ts';

/** What memories are worth, and what becomes of them with time. */
export const AGEING_SETTINGS = {
  qualityScorer: setting(onOff, ENGINE.qualityScorer).about(
    'May the summarizer be asked to score memories, within its daily budget. If false, quality comes from ratings and reads alone, and nothing is spent.',
  ),
  consolidationSchedule: setting(schedules, ENGINE.consolidationSchedule).about(
    'When consolidation runs by itself on a server, in time_zone, such as "daily 02:00, weekly SUN 03:00, monthly 01 04:00, quarterly 01 05:00, yearly 01-01 06:00". Empty means never.',
  ),
  consolidationForget: setting(choice(FORGET_MODES), ENGINE.consolidationForget).about(
    'What consolidation may archive: off, careful (temporary notes, noise, what was rated bad) or aged (also what has lost its relevance or was not needed for long).',
  ),
  maintainAutoResolve: setting(onOff, ENGINE.maintainAutoResolve, ['MCP_MAINTAIN_AUTO_RESOLVE']).about(
    'Let `ltm maintain --apply` put the older of two memories that plainly contradict each other behind the newer one. If false, conflicts are only counted.',
  ),
  insightCards: setting(onOff, ENGINE.insightCards, ['MCP_INSIGHT_CARDS_ENABLED']).about(
    'Store insights that `ltm maintain --apply` finds as memories. If false, they are only listed.',
  ),
  insightExcludeTags: setting(names, ENGINE.insightExcludeTags, ['MCP_INSIGHT_EXCLUDE_TAGS']).about(
    'Tags that insights say nothing about.',
  ),
  decayWindowDays: setting(integer(0, 36_500), ENGINE.decayWindowDays, ['MEMORY_DECAY_WINDOW_DAYS']).about(
    'Where a search weighs age (ranking, mode ranked): after this many days without a read, 1/e of the freshness is left. 0 means that age does not count.',
  ),
  protectedTags: setting(names, ENGINE.protectedTags).about(
    'Tags of memories that are never forgotten or merged away.',
  ),
  protectedTypes: setting(names, ENGINE.protectedTypes).about(
    'Types of memories that are never forgotten or merged away.',
  ),
};
