import {
  acknowledgeInsight,
  archiveMemories,
  cleanUp,
  listArchived,
  listInsights,
  maintain,
  mergeMemories,
  readMaintenance,
} from './consolidation/clean-up.ts';
import {
  consolidate,
  pauseConsolidation,
  readConsolidationStatus,
  recommendConsolidation,
  resumeConsolidation,
  undoConsolidation,
} from './consolidation/consolidate.ts';
import { ingestDocument, ingestUrl } from './documents/ingest-document.ts';
import {
  getDocument,
  listDocuments,
  removeDocument,
  removeDocuments,
  restoreDocument,
} from './documents/read-documents.ts';
import { exportRecords, importRecords } from './exchange/exchange-records.ts';
import { scrubRecords } from './exchange/scrub-records.ts';
import { exploreGraph, listRelations } from './graph/explore-graph.ts';
import { inferRelations } from './graph/infer-relations.ts';
import { relateMemories, unrelateMemories } from './graph/relate-memories.ts';
import { listEntities, mergeEntities, tellAbout } from './graph/tell-about.ts';
import { diffMemories } from './history/diff-memories.ts';
import { listConflicts, resolveConflict } from './history/list-conflicts.ts';
import { undoChanges } from './history/undo-changes.ts';
import { inGroup } from './in-group.ts';
import { MEMORY_VERBS, SEARCH_VERBS } from './memories/memory-verbs.ts';
import { getPacket, listAncestors } from './packets/get-packet.ts';
import { listPackets } from './packets/list-packets.ts';
import { deletePacket, publishPacket, unpublishPacket } from './packets/publish-packet.ts';
import { savePacket } from './packets/save-packet.ts';
import { ACCOUNT_VERBS } from './people/account-verbs.ts';
import { TEAM_VERBS } from './people/team-verbs.ts';
import { USER_VERBS } from './people/user-verbs.ts';
import { analyzeQuality, explainQuality } from './quality/explain-quality.ts';
import { evaluateQuality, rateMemory } from './quality/rate-memory.ts';
import { countObserved } from './sessions/count-observed.ts';
import { exportObservations } from './sessions/export-observations.ts';
import { forgetObservations } from './sessions/forget-observations.ts';
import { getContext } from './sessions/get-context.ts';
import { getTimeline } from './sessions/get-timeline.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { listSpend } from './sessions/list-spend.ts';
import { getObservations, getSurroundings, listObservations } from './sessions/read-observations.ts';
import { recordEvents } from './sessions/record-events.ts';
import { checkHealth, memoryHealth, showStats } from './state/check-health.ts';
import { listAgents, listProjects, listTags, listTypes } from './state/count-labels.ts';
import {
  digestRecords,
  greetReplica,
  keepLink,
  listLinks,
  listSyncConflicts,
  pullRecords,
  pushRecords,
  renewReplica,
} from './sync/exchange-replicas.ts';
import {
  describeRecords,
  digestSealed,
  dropUploads,
  keepKeyring,
  listSlots,
  pullUploads,
  pushUploads,
  readKeyrings,
  tellRecords,
} from './sync/exchange-sealed.ts';
import {
  deleteNote,
  diffNote,
  getNote,
  listNotes,
  listNoteVersions,
  restoreNote,
  searchNotes,
  uploadNote,
} from './workspaces/note-verbs.ts';
import {
  deleteTranscript,
  finishTranscript,
  listTranscripts,
  planTranscript,
  readTranscript,
  searchTranscripts,
  uploadChunks,
  uploadTranscript,
} from './workspaces/transcript-verbs.ts';
import {
  getOverview,
  getWorkspace,
  identifyMemory,
  listWorkspaces,
  readOverview,
  registerWorkspace,
  setRedaction,
  writeOverview,
} from './workspaces/workspace-verbs.ts';

/** Everything that the product can be told to do, in the order in which it is documented. */
export const VERBS = {
  ...MEMORY_VERBS,
  ...inGroup('Quality', { rateMemory, explainQuality, evaluateQuality, analyzeQuality }),
  ...inGroup('Consolidation', { consolidate, readConsolidationStatus, recommendConsolidation, undoConsolidation }),
  ...inGroup('Consolidation', { pauseConsolidation, resumeConsolidation, cleanUp, mergeMemories }),
  ...inGroup('Consolidation', { archiveMemories, listArchived, maintain, readMaintenance }),
  ...inGroup('Consolidation', { listInsights, acknowledgeInsight }),
  ...SEARCH_VERBS,
  ...inGroup('Graph', { relateMemories, unrelateMemories, listRelations, exploreGraph }),
  ...inGroup('Graph', { inferRelations, tellAbout, listEntities, mergeEntities }),
  ...inGroup('History', { diffMemories, undoChanges, listConflicts, resolveConflict }),
  ...inGroup('Labels', { listTags, listTypes, listProjects, listAgents }),
  ...inGroup('State', { showStats, checkHealth, memoryHealth }),
  ...inGroup('Exchange', { exportRecords, importRecords, scrubRecords }),
  ...inGroup('Sync', { greetReplica, digestRecords, pullRecords, pushRecords, listSyncConflicts }),
  ...inGroup('Sync', { readKeyrings, keepKeyring, pullUploads, pushUploads, dropUploads, digestSealed, listSlots }),
  ...inGroup('Sync', { listLinks, keepLink, renewReplica, describeRecords, tellRecords }),
  ...inGroup('Packets', { savePacket, listPackets, getPacket, listAncestors, deletePacket }),
  ...inGroup('Packets', { publishPacket, unpublishPacket }),
  ...inGroup('Sessions', { recordEvents, listSessions, listObservations, getObservations, getSurroundings }),
  ...inGroup('Sessions', { countObserved, exportObservations, forgetObservations, getTimeline, getContext }),
  ...inGroup('Sessions', { listSpend }),
  ...inGroup('Workspaces', {
    registerWorkspace,
    listWorkspaces,
    getWorkspace,
    getOverview,
    identifyMemory,
    readOverview,
    writeOverview,
    setRedaction,
  }),
  ...inGroup('Workspaces', { uploadNote, listNotes, getNote, listNoteVersions, diffNote, deleteNote, restoreNote }),
  ...inGroup('Workspaces', { searchNotes, planTranscript, uploadChunks, finishTranscript, uploadTranscript }),
  ...inGroup('Workspaces', { listTranscripts, readTranscript, searchTranscripts, deleteTranscript }),
  ...inGroup('Documents', { ingestDocument, ingestUrl, listDocuments, getDocument, removeDocument, removeDocuments }),
  ...inGroup('Documents', { restoreDocument }),
  ...inGroup('People', { ...ACCOUNT_VERBS, ...TEAM_VERBS, ...USER_VERBS }),
};
