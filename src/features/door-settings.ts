import { TOOL_FAMILIES } from '../mcp/family-names.ts';
import { ALL, readFamilies } from '../mcp/tool-table.ts';
import { EngineError } from '../model/errors.ts';
import { after, optional, type ValuesOf } from '../settings/define-setting.ts';
import type { SettingKind } from '../settings/setting-kinds.ts';
import type { SettingPart } from '../settings/settings.ts';

const toolFamilies: SettingKind<readonly string[]> = {
  allowed: `a comma-separated list of ${TOOL_FAMILIES.join(', ')}, or ${ALL}`,
  read(raw) {
    const names = Array.isArray(raw) ? raw.join() : raw;
    if (typeof names !== 'string') return undefined;
    try {
      return readFamilies(names, TOOL_FAMILIES);
    } catch (error) {
      if (error instanceof EngineError) return undefined; // said in the words of `allowed`
      throw error;
    }
  },
};

const table = after('tlsKey', {
  tools: optional(toolFamilies).about(
    'Tool families that are listed to MCP clients; core by default. All tools can be called.',
  ),
});

declare module '../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

/** Of tools: their families are the features' and the systems'. */
export const settings: SettingPart = { table };
