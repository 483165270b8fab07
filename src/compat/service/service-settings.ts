import { hostname } from 'node:os';
import type { AgentFolders } from '../../agents/transcript-folders.ts';
import { agentFolders } from '../../agents/transcript-folders.ts';
import type { OnDuplicate } from '../../features/memories/memory.ts';
import { MEMORY_TYPES, type MemoryTypes } from '../../model/memory-types.ts';
import type { Config } from '../../settings/config.ts';
import type { SettingKey } from '../../settings/settings.ts';

/** What an operator can decide about the service's tools and routes. */
export interface ServiceSettings {
  /** null: as the service does it, which refuses near copies of what was stored within `duplicateWindowHours`. */
  onDuplicate: OnDuplicate | null;
  duplicateWindowHours: number;
  /** Of searches that name none; 0: unlimited. */
  maxResponseChars: number;
  /** Sessions that are longer are stored in parts; 0: never. */
  sessionChunkChars: number;
  /** 0 to 1: how far quality decides in searches that do not say. */
  qualityBoost: number;
  /** Similarity from which a mistake counts as made again. */
  mistakeThreshold: number;
  /** Of the server, for memories whose client names no machine; null: machines are not written down with memories. */
  hostname: string | null;
  memoryTypes: MemoryTypes;
  /** Where agents keep their transcripts. */
  transcripts: AgentFolders;
}

export const SERVICE_DEFAULTS: ServiceSettings = {
  onDuplicate: null,
  duplicateWindowHours: 24,
  maxResponseChars: 0,
  sessionChunkChars: 1500,
  qualityBoost: 0,
  mistakeThreshold: 0.85,
  hostname: null,
  memoryTypes: MEMORY_TYPES,
  get transcripts() {
    return agentFolders();
  },
};

/** What the tools and routes of mcp-memory-service go by: where the operator has said nothing, what that system does. */
export function serviceSettings(config: Config): ServiceSettings {
  const { memoryTypes, maxResponseChars, sessionChunkChars, mistakeThreshold, qualityBoost, origin } = config;
  const isSaid = (key: SettingKey): boolean => origin[key].source !== 'default';
  return {
    // the service's own switch says that it does what it does anyway, within its window
    onDuplicate: isSaid('onDuplicate') && !isServiceDefault(config) ? config.onDuplicate : null,
    duplicateWindowHours: isSaid('duplicateWindowHours')
      ? config.duplicateWindowHours
      : SERVICE_DEFAULTS.duplicateWindowHours,
    memoryTypes,
    maxResponseChars,
    sessionChunkChars,
    mistakeThreshold,
    qualityBoost,
    hostname: config.includeHostname ? hostname() : null,
    transcripts: config.places.transcripts,
  };
}

function isServiceDefault({ onDuplicate, origin }: Config): boolean {
  return onDuplicate === 'refuse' && origin.onDuplicate.name.startsWith('MCP_SEMANTIC_DEDUP_ENABLED');
}
