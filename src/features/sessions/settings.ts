import { after, setting, type ValuesOf } from '../../settings/define-setting.ts';
import { integer, names } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';

const table = {
  ...after('keepDeletedDays', {
    keepObservationsDays: setting(integer(0, 36_500), 365).about(
      'Number of days for which observations of sessions are kept. Digests of sessions stay. 0 means for good.',
    ),
  }),
  ...after('redact', {
    captureExcludeTools: setting(names, []).about(
      "Tools whose use is never captured from agents' sessions, such as Bash,mcp__jira__*.",
    ),
    captureExcludePaths: setting(names, []).about(
      'Files of which only the path is captured, in addition to .env, *.pem, id_rsa and the like: names, or ends of paths, such as *.tfstate,secrets/.',
    ),
    captureExcludeProjects: setting(names, []).about(
      'Projects of which nothing is captured: by name, or by folder, such as /home/me/private.',
    ),
  }),
  ...after('privacyPatterns', {
    contextMaxEntries: setting(integer(0, 50), 8).about(
      'Maximum number of lines that a session of an agent is given by itself. 0 turns this off.',
    ),
    contextMaxTokens: setting(integer(0, 8_000), 500).about(
      'Maximum number of tokens that they may cost, by a careful estimate. 0 turns this off.',
    ),
    contextTimeoutMs: setting(integer(0, 10_000), 300).about(
      'How long choosing them may take, in milliseconds; after that the session is given nothing.',
    ),
  }),
};

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
