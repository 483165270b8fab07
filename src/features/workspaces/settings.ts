import { after, optional, setting, type ValuesOf } from '../../settings/define-setting.ts';
import { integer, path, text } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';

const table = {
  ...after('apiKey', {
    workspaceTeam: optional(text).about(
      "The team whose workspaces mcp_token and sync_token open. By default the owner's own.",
    ),
    memoryRoot: optional(path, ['MEMORY_ROOT']).about(
      'A folder in which `ltm serve` keeps all workspaces as files, and from which it reads edits of notes back. None by default.',
    ),
    welcomeFile: optional(path).about('A Markdown file that stands first in the overview of all workspaces.'),
  }),
  ...after('keepDeletedDays', {
    keepTranscriptsDays: setting(integer(0, 36_500), 0).about(
      'Days after which transcripts of sessions are purged. 0 keeps them forever.',
    ),
  }),
};

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
