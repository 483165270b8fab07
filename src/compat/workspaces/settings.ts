import { after, secret, type ValuesOf } from '../../settings/define-setting.ts';
import { text } from '../../settings/setting-kinds.ts';
import type { SettingPart } from '../../settings/settings.ts';

const table = after('apiKey', {
  mcpToken: secret(text, ['MCP_TOKEN']).about(
    'A token for agents: it reads every workspace, and changes the one it is bound to. Goes with sync_token.',
  ),
  syncToken: secret(text, ['SYNC_TOKEN']).about(
    'A token for programs that upload notes and transcripts to workspaces. Goes with mcp_token.',
  ),
});

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

export const settings: SettingPart = { table };
