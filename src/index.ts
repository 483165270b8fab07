export { createOpenAiCompatibleEmbedder } from './embedders/openai-compatible-embedder.ts';
export type { Engine, EnginePorts, EngineSettings, Health, UpkeepReport } from './engine/engine.ts';
export type { Clock, Embedder, Log, Sharing, Store } from './engine/ports.ts';
export { loadConfig } from './features/config.ts';
export { createEngine } from './features/create-engine.ts';
export { DEFAULT_SETTINGS } from './features/default-settings.ts';
export type { ExamineOptions, ExamineReport } from './features/maintenance/examine.ts';
export type {
  Memory,
  OnDuplicate,
  Resemblance,
  StoreMemoryInput,
  StoreOutcome,
  UpdateMemoryInput,
  UpdateOutcome,
} from './features/memories/memory.ts';
export type {
  DeleteMemoriesInput,
  DeleteOutcome,
  GetMemoriesInput,
  ListMemoriesInput,
} from './features/memories/name-as-memories.ts';
export type { Packet } from './features/packets/packet.ts';
export type {
  PacketChain,
  PacketPublication,
  PacketSummary,
  SavePacketOutcome,
  StoredPacket,
} from './features/packets/packet-record.ts';
export type { ExportOptions } from './features/transfer/export-records.ts';
export type { ImportOptions, ImportReport } from './features/transfer/import-records.ts';
export { type Caller, type Door, ownerCaller, type Scope } from './model/caller.ts';
export { EngineError, ERROR_CODES, type ErrorCode } from './model/errors.ts';
export type { ListFilter, RecordFilter } from './model/filter.ts';
export type { Page } from './model/page.ts';
export type { RecordKind, RecordVersion, Source, StoredRecord, Trust } from './model/record.ts';
export type { Relation } from './model/relation.ts';
export type { Hit, SearchMode, SearchQuery, SearchResult, Why } from './model/search.ts';
export { VERSION } from './model/version.ts';
export type { FieldFinding as PacketFinding } from './privacy/field-finding.ts';
export { openEngine, systemClock } from './server/open-engine.ts';
export { type MemoryOptions, type OpenMemory, openMemory } from './server/open-memory.ts';
export { startServer } from './server/start-server.ts';
export type { Config, ConfigSources } from './settings/config.ts';
export { createLog } from './settings/log.ts';
export { openStore } from './stores/open-store.ts';
