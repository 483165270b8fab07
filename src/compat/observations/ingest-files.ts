import { ingestFile } from '../../features/sessions/verbs/ingest-file.ts';
import { EngineError } from '../../model/errors.ts';
import { isObject } from '../../model/json-text.ts';
import { removeSpans } from '../../privacy/remove-spans.ts';
import type { VerbContext } from '../../verbs/verb.ts';

const MAX_FILES = 1000;

export interface Ingested {
  status: 'ok';
  ingested: number;
  skipped: number;
  total: number;
}

/** Files that agents read as instructions become memories, one a file. Whoever sends them may not have screened them. */
export async function ingestFiles({ engine, caller }: VerbContext, files: unknown): Promise<Ingested> {
  if (!Array.isArray(files) || files.length === 0 || files.length > MAX_FILES)
    throw new EngineError('invalid_input', `files must be a list of 1 to ${MAX_FILES} files.`);
  const notes = {
    find: async (key: string) => (await engine.getMemories(caller, { refs: [key] })).memories[0],
    store: (input: Parameters<typeof engine.storeMemory>[1]) => engine.storeMemory(caller, input),
  };
  const out: Ingested = { status: 'ok', ingested: 0, skipped: 0, total: files.length };
  for (const file of files) {
    const { path, content, hash, source } = isObject(file) ? file : ({} as Record<string, unknown>);
    if (typeof path !== 'string' || path.trim() === '' || typeof content !== 'string')
      throw new EngineError('invalid_input', 'A file needs a path and its content.');
    const result = await ingestFile(notes, {
      path,
      content: removeSpans(content).text,
      source: String(source ?? ''),
      hash: typeof hash === 'string' ? hash : null,
    });
    if (result === 'ingested') out.ingested++;
    else out.skipped++;
  }
  return out;
}
