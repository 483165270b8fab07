import { spoolFolder } from '../client/spool-folder.ts';
import { TOOL_FAMILIES } from '../mcp/family-names.ts';
import { ALL, readFamilies } from '../mcp/tool-table.ts';
import { EngineError } from '../model/errors.ts';
import { after, optional, setting, type ValuesOf } from '../settings/define-setting.ts';
import { integer, onOff, type SettingKind } from '../settings/setting-kinds.ts';
import type { Environment, SettingPart } from '../settings/settings.ts';

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

const table = {
  ...after('tlsKey', {
    tools: optional(toolFamilies).about(
      'Tool families that are listed to MCP clients; core by default. All tools can be called.',
    ),
  }),
  ...after('workers', {
    observePort: optional(integer(0, 65535)).about(
      'A second port of `ltm serve`, on 127.0.0.1 and without TLS, for programs that know LongMem at 38741. By default there is none.',
    ),
  }),
  ...after('mcpSessions', {
    anonymousAccess: setting(onOff, false, ['MCP_ALLOW_ANONYMOUS_ACCESS']).about(
      "Let programs on this machine read and write the owner's memories without a token. Only on a loopback address, and not behind a proxy.",
    ),
  }),
  ...after('maxUploadBytes', {
    maxDocumentBytes: setting(integer(1024, 1 << 30), 50 << 20).about(
      'Maximum size of a document that is ingested, in bytes. Over REST it takes the place of max_body_bytes.',
    ),
  }),
};

declare module '../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

declare module '../settings/config.ts' {
  interface Places {
    /** Where hooks leave what they captured for whoever uses this database, and where a server says how it is reached. */
    spool: string;
  }
}

const places = { spool: ({ db }: { db: string }, env: Environment) => spoolFolder(db, env) };

/** What doors are told: the families of tools are those of the features and the systems. */
export const settings: SettingPart = { table, places };
