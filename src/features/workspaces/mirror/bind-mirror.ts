import { EngineError } from '../../../model/errors.ts';
import type { MirrorFiles } from './mirror-files.ts';
import type { MirrorSource } from './mirror-folder.ts';
import type { NoteMarks } from './mirror-notes.ts';

/** What the folder and the memory had in common when they were last compared. */
export interface Marks {
  notes: NoteMarks;
  /** Transcripts by their path, with the hash of what was written. */
  sessions: Record<string, string>;
  /** The hash of the overview that was written of each workspace. */
  overviews: Record<string, string>;
}

/** Which memory a folder belongs to, and the last of its changes that the folder has seen. */
interface Binding {
  memory: string;
  changes: number;
}

const STATE = '_meta/state.json';

export interface BoundMirror {
  marks: Marks;
  keep(): void;
}

/**
 * A folder belongs to one memory: what another one lacks has not been deleted there. So another database, or an earlier state of this one, is refused
 * before anything is written. A folder that names none is bound without its marks: nothing in it is taken for deleted.
 */
export async function bindMirror(source: MirrorSource, files: MirrorFiles): Promise<BoundMirror> {
  const { memory, changes } = await source.verbs.identifyMemory({});
  const known = files.readJson(STATE) as Partial<Binding & Marks>;
  if (known.memory !== undefined) refuseOther(files, known, { memory, changes });
  else files.makePrivate();
  const { notes = {}, sessions = {}, overviews = {} } = known.memory === undefined ? {} : known;
  const marks: Marks = { notes, sessions, overviews };
  const keep = (options = {}): void =>
    files.write(STATE, `${JSON.stringify({ memory, changes, ...marks })}\n`, options);
  return { marks, keep };
}

/** Throws, with nothing changed, where the memory may not be mirrored into this folder, or the folder cannot be written to. */
export async function checkMirror(source: MirrorSource, files: MirrorFiles): Promise<void> {
  await bindMirror(source, files);
  files.write(PROBE, '', { always: true });
  files.remove(PROBE);
}

const PROBE = '_meta/probe';

function refuseOther({ root }: MirrorFiles, known: Partial<Binding>, now: Binding): void {
  const isSame = known.memory === now.memory;
  if (isSame && (known.changes ?? 0) <= now.changes) return;
  const problem = isSame
    ? `${root} has seen later changes than this database has: a backup was probably put back.`
    : `${root} is the mirror of another memory: its database was reset, or is another one.`;
  throw new EngineError('conflict', `${problem} Nothing was changed in it.`, {
    hint: `Name an empty folder, or the database that belongs to this one. To bind it to this database all the same, delete ${STATE} in it: its files stay, and notes that only it has are added to the memory.`,
    details: { folder: root },
  });
}
