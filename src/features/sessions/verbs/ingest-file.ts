import { sha256Of } from '../../../model/sha256.ts';
import type { Memory, StoreMemoryInput } from '../../memories/memory.ts';
import { ECOSYSTEM } from './export-observations.ts';

/** A file that agents read as instructions, or that people wrote for them. What is private has been taken out of it. */
export interface IngestedFile {
  path: string;
  content: string;
  /** Of the file as it is on the disk. */
  hash: string | null;
  /** What kind of file it is. */
  source: string;
  project?: string;
}

/** Memories, near or far. */
export interface NoteStore {
  find(key: string): Promise<Memory | undefined>;
  store(input: StoreMemoryInput): Promise<{ outcome: string }>;
}

const MAX_INGESTED_CHARS = 51_200;
const MAX_KEY_CHARS = 200;

/** One memory a file. The same path with the same hash is left alone; with another it takes the place of what was there, which stays as an earlier version. */
export async function ingestFile(notes: NoteStore, file: IngestedFile): Promise<'ingested' | 'unchanged' | 'skipped'> {
  const { path, content, hash, source, project } = file;
  if (content.trim() === '' || content.length > MAX_INGESTED_CHARS) return 'skipped';
  const key = keyOf(path);
  const known = await notes.find(key);
  if (known !== undefined && hash !== null && known.metadata.hash === hash) return 'unchanged';
  const { outcome } = await notes.store({
    content,
    key,
    type: 'document',
    tags: [ECOSYSTEM],
    onDuplicate: 'store',
    project,
    metadata: { path, hash: hash ?? '', source },
  });
  return outcome === 'refused' || outcome === 'duplicate' ? 'skipped' : 'ingested';
}

/** A long path keeps its end, and a hash tells it from others that end alike. */
function keyOf(path: string): string {
  const key = `${ECOSYSTEM}:${path}`;
  if (key.length <= MAX_KEY_CHARS) return key;
  const hash = sha256Of(path).slice(0, 16);
  return `${ECOSYSTEM}:${hash}:${path.slice(-(MAX_KEY_CHARS - ECOSYSTEM.length - 18))}`;
}
