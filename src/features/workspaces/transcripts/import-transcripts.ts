import { EngineError } from '../../../model/errors.ts';
import type { ImportedTranscript, TakenImport } from '../../../model/imported-parts.ts';
import type { Client } from '../../../verbs/client.ts';
import { sendTranscript } from './send-transcript.ts';

interface Options {
  isDryRun: boolean;
  onProgress: (step: string, done: number, total: number) => void;
}

/** Each into the workspace it was in; secrets are replaced as they are in an upload. One that cannot be read is named, and holds up no other. */
export async function importTranscripts(
  client: Client,
  transcripts: readonly ImportedTranscript[],
  { isDryRun, onProgress }: Options,
): Promise<TakenImport> {
  const outcome: TakenImport = { taken: 0, unchanged: 0, refused: [], leftOut: [] };
  if (isDryRun) return { ...outcome, taken: transcripts.length };
  for (const [i, { machine, tool, project, session, file, startedAt, source }] of transcripts.entries()) {
    onProgress('transcripts', i, transcripts.length);
    try {
      const { workspaceId: workspace, writeToken, redact } = await client.registerWorkspace({ machine, tool, project });
      const known = { source: source ?? undefined, startedAt: startedAt ?? undefined };
      const { status } = await sendTranscript({ client, workspace, writeToken, session, file, redact, ...known });
      outcome[status === 'duplicate' ? 'unchanged' : 'taken']++;
    } catch (error) {
      const isOwn = error instanceof EngineError || /^Z_/.test((error as NodeJS.ErrnoException).code ?? '');
      if (!isOwn || (error instanceof EngineError && ['busy', 'unauthorized', 'forbidden'].includes(error.code)))
        throw error;
      outcome.leftOut.push({ what: `the transcript ${session}`, why: (error as Error).message });
    }
  }
  return outcome;
}
