import type { Place } from '../../../agents/agent.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { projectName } from '../../../client/project-folder.ts';
import { removeSpans } from '../../../privacy/remove-spans.ts';
import { ingestFile, type NoteStore } from '../../sessions/verbs/ingest-file.ts';
import { findNotes } from '../find-notes.ts';

export interface TakenNotes {
  found: number;
  ingested: number;
  unchanged: number;
  skipped: { path: string; reason: string }[];
}

/** What people have written for agents already becomes memories, near or far; what has changed since takes the place of what was there. */
export async function takeInNotes(context: CommandContext, place: Place): Promise<TakenNotes> {
  const { notes, skipped } = findNotes(place);
  const out: TakenNotes = { found: notes.length, ingested: 0, unchanged: 0, skipped: [...skipped] };
  if (notes.length === 0) return out;
  const client = await context.client();
  const store: NoteStore = {
    find: async (key) => (await client.getMemories({ ids: [key] })).memories[0],
    store: (input) => client.storeMemory(input),
  };
  for (const { path, kind, text, hash, folder } of notes) {
    const project = folder === null ? undefined : projectName(folder);
    const file = { path, hash, source: kind, project, content: removeSpans(text).text };
    const result = await ingestFile(store, file);
    if (result === 'skipped') out.skipped.push({ path, reason: 'nothing of it is left to store' });
    else out[result] += 1;
  }
  return out;
}
