import type { Engine, Health } from '../../src/engine/engine.ts';
import type { Log } from '../../src/engine/ports.ts';
import type { Memory } from '../../src/features/memories/memory.ts';
import { toMemory } from '../../src/features/memories/to-memory.ts';
import { type Caller, ownerOf, type Scope } from '../../src/model/caller.ts';
import type { Hit, SearchResult } from '../../src/model/search.ts';
import { KIND_TABLE } from '../all-kinds.ts';
import { sampleContent } from '../stores/contract/sample-records.ts';

/** An engine that can do only what a test gives it; anything else it is asked for fails the call. */
export function stubEngine(verbs: Partial<Engine> = {}): Engine {
  const refuse = (verb: string) => (): never => {
    throw new Error(`the stub engine was asked to ${verb}`);
  };
  return {
    kinds: KIND_TABLE,
    storeMemory: refuse('storeMemory'),
    storeMemories: refuse('storeMemories'),
    getMemories: refuse('getMemories'),
    listMemories: refuse('listMemories'),
    updateMemory: refuse('updateMemory'),
    deleteMemories: refuse('deleteMemories'),
    restoreMemories: refuse('restoreMemories'),
    listVersions: refuse('listVersions'),
    purgeMemories: refuse('purgeMemories'),
    purge: refuse('purge'),
    rejectMemories: refuse('rejectMemories'),
    listRejections: refuse('listRejections'),
    liftRejections: refuse('liftRejections'),
    takeTombstones: refuse('takeTombstones'),
    storeRecord: refuse('storeRecord'),
    getRecords: refuse('getRecords'),
    listRecords: refuse('listRecords'),
    updateRecord: refuse('updateRecord'),
    deleteRecords: refuse('deleteRecords'),
    restoreRecords: refuse('restoreRecords'),
    purgeRecords: refuse('purgeRecords'),
    listRecordVersions: refuse('listRecordVersions'),
    findConflictsNearby: refuse('findConflictsNearby'),
    relate: refuse('relate'),
    unrelate: refuse('unrelate'),
    listRelations: refuse('listRelations'),
    exploreGraph: refuse('exploreGraph'),
    inferRelations: refuse('inferRelations'),
    undoChanges: refuse('undoChanges'),
    diffMemories: refuse('diffMemories'),
    listConflicts: refuse('listConflicts'),
    listBeliefs: refuse('listBeliefs'),
    scoreTexts: refuse('scoreTexts'),
    resolveConflict: refuse('resolveConflict'),
    maxDocumentBytes: () => 1 << 20,
    ingestDocument: refuse('ingestDocument'),
    ingestUrl: refuse('ingestUrl'),
    listDocuments: refuse('listDocuments'),
    getDocument: refuse('getDocument'),
    removeDocuments: refuse('removeDocuments'),
    restoreDocument: refuse('restoreDocument'),
    tellAbout: refuse('tellAbout'),
    listEntities: refuse('listEntities'),
    mergeEntities: refuse('mergeEntities'),
    greetReplica: refuse('greetReplica'),
    listTravelling: refuse('listTravelling'),
    takeTravelling: refuse('takeTravelling'),
    digestSpace: refuse('digestSpace'),
    describeRecords: refuse('describeRecords'),
    tellRecords: refuse('tellRecords'),
    readKeyrings: refuse('readKeyrings'),
    keepKeyring: refuse('keepKeyring'),
    listUploads: refuse('listUploads'),
    takeUploads: refuse('takeUploads'),
    dropUploads: refuse('dropUploads'),
    digestSealed: refuse('digestSealed'),
    listSlots: refuse('listSlots'),
    listForks: refuse('listForks'),
    listLinks: refuse('listLinks'),
    keepLink: refuse('keepLink'),
    renewReplica: refuse('renewReplica'),
    search: refuse('search'),
    dropVectors: refuse('dropVectors'),
    countLabels: refuse('countLabels'),
    checkHealth: refuse('checkHealth'),
    listChanges: refuse('listChanges'),
    followChanges: refuse('followChanges'),
    embedTexts: refuse('embedTexts'),
    exportRecords: refuse('exportRecords'),
    importRecords: refuse('importRecords'),
    examine: refuse('examine'),
    scrubRecords: refuse('scrubRecords'),
    purgeExpired: refuse('purgeExpired'),
    finishRemovals: refuse('finishRemovals'),
    countStoredBy: refuse('countStoredBy'),
    runUpkeep: refuse('runUpkeep'),
    whenWorkIsLeft: refuse('whenWorkIsLeft'),
    recordEvents: refuse('recordEvents'),
    getContext: refuse('getContext'),
    listSessions: refuse('listSessions'),
    findSession: refuse('findSession'),
    listObservations: refuse('listObservations'),
    getObservations: refuse('getObservations'),
    getSurroundings: refuse('getSurroundings'),
    getTimeline: refuse('getTimeline'),
    countConcepts: refuse('countConcepts'),
    countUnsummarized: refuse('countUnsummarized'),
    isSummarizerLeftInPeace: () => false,
    forgetObservations: refuse('forgetObservations'),
    listSpend: refuse('listSpend'),
    rateMemory: refuse('rateMemory'),
    explainQuality: refuse('explainQuality'),
    evaluateQuality: refuse('evaluateQuality'),
    analyzeQuality: refuse('analyzeQuality'),
    consolidate: refuse('consolidate'),
    readConsolidationStatus: refuse('readConsolidationStatus'),
    recommendConsolidation: refuse('recommendConsolidation'),
    pauseConsolidation: refuse('pauseConsolidation'),
    undoConsolidation: refuse('undoConsolidation'),
    cleanUp: refuse('cleanUp'),
    mergeMemories: refuse('mergeMemories'),
    archiveMemories: refuse('archiveMemories'),
    listArchived: refuse('listArchived'),
    listInsights: refuse('listInsights'),
    acknowledgeInsight: refuse('acknowledgeInsight'),
    maintain: refuse('maintain'),
    readMaintenance: refuse('readMaintenance'),
    savePacket: refuse('savePacket'),
    getPacket: refuse('getPacket'),
    listPackets: refuse('listPackets'),
    deletePacket: refuse('deletePacket'),
    publishPacket: refuse('publishPacket'),
    unpublishPacket: refuse('unpublishPacket'),
    listAncestors: refuse('listAncestors'),
    readPublicPacket: refuse('readPublicPacket'),
    enterTeam: refuse('enterTeam'),
    registerWorkspace: refuse('registerWorkspace'),
    listWorkspaces: refuse('listWorkspaces'),
    getWorkspace: refuse('getWorkspace'),
    identifyMemory: refuse('identifyMemory'),
    readWelcome: refuse('readWelcome'),
    writeOverview: refuse('writeOverview'),
    setRedaction: refuse('setRedaction'),
    uploadNote: refuse('uploadNote'),
    listNotes: refuse('listNotes'),
    readOverview: refuse('readOverview'),
    getNote: refuse('getNote'),
    listNoteVersions: refuse('listNoteVersions'),
    diffNote: refuse('diffNote'),
    deleteNote: refuse('deleteNote'),
    restoreNote: refuse('restoreNote'),
    searchNotes: refuse('searchNotes'),
    planTranscript: refuse('planTranscript'),
    uploadChunks: refuse('uploadChunks'),
    finishTranscript: refuse('finishTranscript'),
    uploadTranscript: refuse('uploadTranscript'),
    listTranscripts: refuse('listTranscripts'),
    readSession: refuse('readSession'),
    readTranscriptBytes: refuse('readTranscriptBytes'),
    searchTranscripts: refuse('searchTranscripts'),
    deleteTranscript: refuse('deleteTranscript'),
    publicUrl: () => null,
    close: async () => {},
    ...verbs,
  };
}

export function callerOf(userId = 'ada', scopes: readonly Scope[] = ['read', 'write', 'admin']): Caller {
  return { userId, space: userId, spaces: [userId], roles: ownerOf([userId]), scopes: new Set(scopes), door: 'mcp' };
}

export const MEMORY_ID = '01k9x2m4p6q8r0s2t4v6';

export function memoryOf(fields: Partial<Memory> = {}): Memory {
  const content = fields.content ?? 'The deploy key lives in the vault.';
  const at = Date.now() - 3 * 86_400_000;
  const record = sampleContent({
    content,
    tags: ['deploy', 'two words'],
    project: 'api',
    source: { door: 'mcp', userId: 'ada', client: 'probe/1' },
    trust: 'agent',
    createdAt: at,
    updatedAt: at,
  });
  return { ...toMemory({ ...record, space: 'ada', id: MEMORY_ID, revision: 1, deletedAt: null }), ...fields };
}

export function hitOf(fields: Partial<Hit> = {}): Hit {
  const {
    id,
    type,
    tags,
    project,
    agent,
    source,
    trust,
    quality,
    createdAt,
    updatedAt,
    supersededBy,
    contentHash,
    content,
  } = memoryOf();
  const why = { matched: ['words'], words: ['deploy'], text: 3.2, meaning: null, weights: { recency: 0.98 } };
  const ranked = { score: 0.912_345, confidence: 0.83, weak: false, why };
  const shown = { space: 'ada', kind: 'memory' as const, title: content, snippet: content, whole: true };
  return {
    id,
    type,
    tags,
    project,
    agent,
    source,
    trust,
    quality,
    createdAt,
    updatedAt,
    supersededBy,
    contentHash,
    ...shown,
    ...ranked,
    ...fields,
  };
}

export function resultOf(hits: Hit[], fields: Partial<SearchResult> = {}): SearchResult {
  return {
    hits,
    total: hits.length,
    verdict: hits.length > 0 ? 'found' : 'nothing',
    searchedBy: 'text',
    cursor: null,
    weaker: 0,
    truncated: null,
    notices: [],
    timeRange: null,
    ...fields,
  };
}

export function healthOf(fields: Partial<Health> = {}): Health {
  const counts = {
    records: 2,
    deleted: 1,
    superseded: 0,
    passages: 2,
    relations: 0,
    versions: 0,
    segments: 0,
    graves: 0,
    segmentBytes: 0,
    head: 3,
    bytes: 4096,
    schemaVersion: 1,
    rowSecurity: null,
  };
  return {
    status: 'healthy',
    version: '0.1.0',
    problems: [],
    notices: [],
    facts: {
      store: 'sqlite',
      location: '/home/ada/memories.db',
      vectors: [],
      replica: 'ada',
      epoch: 'first',
      ...counts,
    },
    memories: 2,
    tags: 2,
    createdThisWeek: 1,
    embedder: null,
    index: { spaces: 1, passages: 2, bytes: 100, head: 3 },
    searches: { total: 0, averageMs: 0 },
    ...fields,
  };
}

export interface RecordingLog extends Log {
  lines: { level: string; event: string; facts: Record<string, string | number | boolean> }[];
}

export function recordingLog(): RecordingLog {
  const lines: RecordingLog['lines'] = [];
  const write =
    (level: string) =>
    (event: string, facts: Record<string, string | number | boolean> = {}): void => {
      lines.push({ level, event, facts });
    };
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
}
