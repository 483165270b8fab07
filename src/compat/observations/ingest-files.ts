import { EngineError } from '../../model/errors.ts';
import { isObject } from '../../model/json-text.ts';
import { ECOSYSTEM } from '../../verbs/sessions/export-observations.ts';
import type { VerbContext } from '../../verbs/verb.ts';

const MAX_FILE_CHARS = 51_200;
const MAX_FILES = 1000;

export interface Ingested {
  status: 'ok';
  ingested: number;
  skipped: number;
  total: number;
}

/** Files that agents read as instructions become memories, one a file. The same path with the same hash is left alone, with another it takes the place of what was there. */
export async function ingestFiles({ engine, caller }: VerbContext, files: unknown): Promise<Ingested> {
  if (!Array.isArray(files) || files.length === 0 || files.length > MAX_FILES)
    throw new EngineError('invalid_input', `files must be a list of 1 to ${MAX_FILES} files.`);
  const out: Ingested = { status: 'ok', ingested: 0, skipped: 0, total: files.length };
  for (const file of files) {
    const { path, content, hash, source } = isObject(file) ? file : ({} as Record<string, unknown>);
    if (typeof path !== 'string' || path.trim() === '' || typeof content !== 'string')
      throw new EngineError('invalid_input', 'A file needs a path and its content.');
    if (content.trim() === '' || content.length > MAX_FILE_CHARS) {
      out.skipped++;
      continue;
    }
    const key = `${ECOSYSTEM}:${path}`.slice(0, 200);
    const [known] = (await engine.getMemories(caller, { refs: [key] })).memories;
    if (known !== undefined && typeof hash === 'string' && known.metadata.hash === hash) {
      out.skipped++;
      continue;
    }
    const stored = await engine.storeMemory(caller, {
      ...{ content, key, type: 'document', tags: [ECOSYSTEM], onDuplicate: 'store' },
      metadata: { path, hash: String(hash ?? ''), source: String(source ?? '') },
    });
    if (stored.outcome === 'refused' || stored.outcome === 'duplicate') out.skipped++;
    else out.ingested++;
  }
  return out;
}
