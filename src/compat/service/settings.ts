import { type AgentFolders, agentFolders } from '../../agents/transcript-folders.ts';
import { after, setting, type ValuesOf } from '../../settings/define-setting.ts';
import { fraction, integer, onOff } from '../../settings/setting-kinds.ts';
import type { Environment, SettingPart } from '../../settings/settings.ts';
import { SERVICE_DEFAULTS } from './service-settings.ts';

const table = after('mcpSessions', {
  includeHostname: setting(onOff, false, ['MCP_MEMORY_INCLUDE_HOSTNAME']).about(
    "With what the `service` tools and routes store, write down the machine: the tag source:NAME and metadata.hostname. It is `client_hostname` of the call, or the header X-Client-Hostname, or else the server's own name.",
  ),
  sessionChunkChars: setting(integer(0, 1_000_000), SERVICE_DEFAULTS.sessionChunkChars, ['SESSION_CHUNK_SIZE']).about(
    'Split conversations that memory_store_session stores into parts of whole turns of at most this many characters. 0 never splits.',
  ),
  qualityBoost: setting(fraction(0, 1), SERVICE_DEFAULTS.qualityBoost, {
    // The weight that the service gives to quality where it is switched on.
    MCP_QUALITY_BOOST_ENABLED: (raw) => ({ true: 0.3, false: 0 })[String(onOff.read(raw))] ?? raw,
  }).about('How far quality decides in searches of the `service` tools and routes that do not say it themselves.'),
  mistakeThreshold: setting(fraction(0, 1), SERVICE_DEFAULTS.mistakeThreshold, [
    'MCP_MISTAKE_NOTE_DEDUP_THRESHOLD',
  ]).about('Similarity at or above which a mistake counts as one that was noted before.'),
});

declare module '../../engine/engine-settings.ts' {
  interface FeatureSettings extends ValuesOf<typeof table> {}
}

declare module '../../settings/config.ts' {
  interface Places {
    /** Where agents keep their transcripts. */
    transcripts: AgentFolders;
  }
}

const places = { transcripts: (_: unknown, env: Environment) => agentFolders(env) };

export const settings: SettingPart = { table, places };
