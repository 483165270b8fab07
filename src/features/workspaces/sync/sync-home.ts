import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../../model/errors.ts';
import { isObject, parseJson } from '../../../model/json-text.ts';
import { writePrivateFile } from '../../../settings/private-file.ts';
import type { Environment } from '../../../settings/settings.ts';

/** The folder in which a machine keeps what it syncs; one of the federated client is used as it is. */
export interface SyncHome {
  folder: string;
  config: { url: string | null; machine: string };
  readState(): SyncState;
  writeState(state: SyncState): void;
}

/** What was last seen of a note on both sides. */
export interface NoteState {
  mtimeMs: number;
  size: number;
  /** Of the local file. */
  sha256: string;
  /** Of what the server keeps; null: it had none. */
  remote: string | null;
}

export interface FileState {
  mtimeMs: number;
  size: number;
}

export interface SyncState {
  /** Which memory it was synced with; null: an earlier release did not note it. */
  memory: string | null;
  /** By workspace and path. */
  notes: Record<string, NoteState>;
  /** Transcripts, by file. */
  sessions: Record<string, FileState>;
}

function userHome(env: Environment): string {
  return env.HOME || env.USERPROFILE || homedir();
}

export function openSyncHome(env: Environment): SyncHome {
  const folder = env.MEMORY_SYNC_HOME || join(userHome(env), '.memory-sync');
  const config = readObject(join(folder, 'config.json'));
  const text = (name: string): string | null =>
    typeof config[name] === 'string' && config[name] !== '' ? config[name] : null;
  const stateFile = join(folder, 'state.json');
  return {
    folder,
    config: { url: text('url') ?? text('server_url'), machine: text('machine') ?? hostname() },
    readState() {
      const { memory, notes, sessions } = readObject(stateFile);
      return {
        memory: typeof memory === 'string' ? memory : null,
        notes: (isObject(notes) ? notes : {}) as SyncState['notes'],
        sessions: (isObject(sessions) ? sessions : {}) as SyncState['sessions'],
      };
    },
    writeState(state) {
      writePrivateFile(stateFile, `${JSON.stringify({ ...readObject(stateFile), ...state })}\n`);
    },
  };
}

export function writeSyncConfig(home: SyncHome, config: Record<string, unknown>): void {
  const file = join(home.folder, 'config.json');
  writePrivateFile(file, `${JSON.stringify({ ...readObject(file), ...config }, null, 2)}\n`);
}

/** {} where there is none, or none that can be read. */
function readObject(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  const value = parseJson(readFileSync(path, 'utf8'));
  return isObject(value) ? value : {};
}

export interface Manifest {
  workspaceId: string | null;
  machine: string;
  tool: string;
  project: string;
  /** Where the work is done, if it says so. */
  cwd: string | null;
  tracked: { local: string; upload: string }[];
  trackedDirs: { local: string; uploadPrefix: string; glob: string }[];
}

/** Every manifest that can be read; the others are named. */
export function readManifests(home: SyncHome): { manifests: Manifest[]; problems: string[] } {
  const folder = join(home.folder, 'manifests');
  const manifests: Manifest[] = [];
  const problems: string[] = [];
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    if (!name.endsWith('.json')) continue;
    const manifest = toManifest(parseJson(readFileSync(join(folder, name), 'utf8')));
    if (manifest === null) problems.push(`manifests/${name} is no manifest.`);
    else manifests.push(manifest);
  }
  return { manifests, problems };
}

function toManifest(value: unknown): Manifest | null {
  if (!isObject(value)) return null;
  const text = (from: Record<string, unknown>, name: string): string =>
    typeof from[name] === 'string' ? from[name] : '';
  const list = (name: string): Record<string, unknown>[] =>
    Array.isArray(value[name]) ? value[name].filter(isObject) : [];
  const [machine, tool, project] = ['machine', 'tool', 'project'].map((name) => text(value, name));
  if (!machine || !tool || !project) return null;
  return {
    workspaceId: text(value, 'workspace_id') || null,
    machine,
    tool,
    project,
    cwd: text(value, 'cwd') || null,
    tracked: list('tracked').map((one) => ({ local: text(one, 'local'), upload: text(one, 'upload') })),
    trackedDirs: list('tracked_dirs').map((one) => ({
      local: text(one, 'local'),
      uploadPrefix: text(one, 'upload_prefix'),
      glob: text(one, 'glob') || '*.md',
    })),
  };
}

export function writeManifest(home: SyncHome, id: string, manifest: Manifest): string {
  const { workspaceId, trackedDirs, ...rest } = manifest;
  const dirs = trackedDirs.map(({ local, uploadPrefix, glob }) => ({ local, upload_prefix: uploadPrefix, glob }));
  const file = join(home.folder, 'manifests', `${id}.json`);
  const content = { workspace_id: workspaceId ?? id, ...rest, tracked_dirs: dirs };
  writePrivateFile(file, `${JSON.stringify(content, null, 2)}\n`);
  return file;
}

/** `~` is the person's home. */
export function expandHome(path: string, env: Environment): string {
  return path.replace(/^~(?=[/\\]|$)/, userHome(env));
}

/** Longer than any run takes: whoever left a lock behind is gone. */
const LOCK_MS = 3_600_000;

/** Null: another run is under way. */
export function takeLock(home: SyncHome): (() => void) | null {
  const file = join(home.folder, 'lock');
  mkdirSync(home.folder, { recursive: true, mode: 0o700 });
  const mine = `${process.pid} ${Date.now()}\n`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw new EngineError('storage_read_only', `${home.folder} cannot be written to.`, { cause: error });
      if (!isStale(file)) return null;
      rmSync(file, { force: true });
    }
  }
  return null;
}

function isStale(file: string): boolean {
  const [pid, at] = (existsSync(file) ? readFileSync(file, 'utf8') : '').trim().split(' ').map(Number);
  if (!pid || !at || Date.now() - at > LOCK_MS) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'; // nobody has that number any more
  }
}
