import type { Caller } from '../../model/caller.ts';
import type { Page } from '../../model/page.ts';
import type { TranscriptFacts } from '../../model/transcript.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { UploadedTranscript } from './put-transcript.ts';
import type { ListTranscriptsInput, ReadSessionInput, SessionLines, SessionRef } from './read-transcripts.ts';
import type { ReceivedChunks } from './receive-chunks.ts';
import type { SearchTranscriptsInput, SessionMatches } from './search-transcripts.ts';
import type { FinishInput, TranscriptRef, UploadPlan, UploadTranscriptInput } from './upload-transcript.ts';

/** What can be done with transcripts of agents' sessions, which are kept to the byte. */
export interface TranscriptVerbs {
  /** What of these pieces has to be sent. */
  planTranscript(caller: Caller, input: TranscriptRef & { chunks: readonly string[] }): Promise<UploadPlan>;
  uploadChunks(caller: Caller, input: { workspace: string; lines: AsyncIterable<string> }): Promise<ReceivedChunks>;
  finishTranscript(caller: Caller, input: FinishInput): Promise<UploadedTranscript>;
  uploadTranscript(caller: Caller, input: UploadTranscriptInput): Promise<UploadedTranscript>;
  listTranscripts(caller: Caller, input: ListTranscriptsInput): Promise<Page<TranscriptFacts>>;
  readSession(caller: Caller, input: ReadSessionInput): Promise<SessionLines>;
  /** All of its bytes, a piece at a time. */
  readTranscriptBytes(caller: Caller, input: SessionRef): AsyncIterable<Uint8Array>;
  searchTranscripts(caller: Caller, input: SearchTranscriptsInput): Promise<SessionMatches>;
  deleteTranscript(
    caller: Caller,
    input: { workspace?: string; session: string },
  ): Promise<{ workspaceId: string; sessionId: string }>;
}

export function createTranscriptVerbs(parts: EngineParts): TranscriptVerbs {
  const uploading = () => import('./upload-transcript.ts');
  const reading = () => import('./read-transcripts.ts');
  return {
    planTranscript: async (caller, input) => (await uploading()).planTranscript(parts, caller, input),
    uploadChunks: async (caller, input) => (await import('./receive-chunks.ts')).uploadChunks(parts, caller, input),
    finishTranscript: async (caller, input) => (await uploading()).finishTranscript(parts, caller, input),
    uploadTranscript: async (caller, input) => (await uploading()).uploadTranscript(parts, caller, input),
    listTranscripts: async (caller, input) => (await reading()).listTranscripts(parts, caller, input),
    readSession: async (caller, input) => (await reading()).readSession(parts, caller, input),
    async *readTranscriptBytes(caller, input) {
      yield* (await reading()).readTranscriptBytes(parts, caller, input);
    },
    searchTranscripts: async (caller, input) =>
      (await import('./search-transcripts.ts')).searchTranscripts(parts, caller, input),
    deleteTranscript: async (caller, input) => (await reading()).deleteTranscript(parts, caller, input),
  };
}
