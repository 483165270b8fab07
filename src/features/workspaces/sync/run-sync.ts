import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { TranscriptFile } from '../../../agents/agent-transcript.ts';
import { findTranscripts, readDirectory } from '../../../agents/find-transcripts.ts';
import { agentFolders } from '../../../agents/transcript-folders.ts';
import { projectFolder, projectIn } from '../../../client/project-folder.ts';
import { EngineError } from '../../../model/errors.ts';
import { slugOf } from '../../../model/workspace-id.ts';
import type { Environment } from '../../../settings/settings.ts';
import type { ClientOf } from '../../../verbs/client.ts';
import { sendTranscript } from '../transcripts/send-transcript.ts';
import type { VERBS } from '../verbs.ts';
import { type Manifest, readManifests, type SyncHome, type SyncState } from './sync-home.ts';
import { type NoteReport, newNoteReport, syncNotes } from './sync-notes.ts';

export interface SyncReport extends NoteReport {
  /** Sessions that were sent, each with how many bytes that took. */
  sessions: { session: string; workspace: string; bytes: number; sent: number }[];
}

export interface SyncWork {
  client: ClientOf<typeof VERBS>;
  home: SyncHome;
  env: Environment;
  report: SyncReport;
  onProgress?(step: string, done: number, total: number): void;
}

export function newSyncReport(): SyncReport {
  return { ...newNoteReport(), sessions: [] };
}

interface Registered {
  workspaceId: string;
  writeToken: string | undefined;
  redact: boolean;
}

type Register = (triple: Pick<Manifest, 'machine' | 'tool' | 'project'>) => Promise<Registered>;

/** Each workspace is registered once a run. */
function createRegister({ client }: Pick<SyncWork, 'client'>): Register {
  const known = new Map<string, Promise<Registered>>();
  return ({ machine, tool, project }) => {
    const key = JSON.stringify([machine, tool, project]);
    const found =
      known.get(key) ??
      client
        .registerWorkspace({ machine, tool, project })
        .then(({ workspaceId, writeToken, redact }) => ({ workspaceId, writeToken, redact }));
    known.set(key, found);
    return found;
  };
}

/** Notes of every manifest, then the sessions of agents that are new or have grown. What was reached is remembered even where the rest fails. */
export async function runSync(work: SyncWork): Promise<void> {
  const state = await stateWith(work);
  const register = createRegister(work);
  try {
    const manifests = await syncManifests(work, state, register);
    await syncSessions(work, { state, register, manifests });
  } finally {
    work.home.writeState(state);
  }
}

/** What was synced with another memory says nothing of this one: everything is compared anew. */
async function stateWith({ client, home }: SyncWork): Promise<SyncState> {
  const { memory } = await client.identifyMemory({});
  const state = home.readState();
  return state.memory === null || state.memory === memory ? { ...state, memory } : { memory, notes: {}, sessions: {} };
}

async function syncManifests(work: SyncWork, state: SyncState, register: Register): Promise<Manifest[]> {
  const { home, report, client, env } = work;
  const { manifests, problems } = readManifests(home);
  report.failed.push(...problems);
  for (const [i, manifest] of manifests.entries()) {
    work.onProgress?.(`Notes of ${manifest.project}`, i, manifests.length);
    const { workspaceId: workspace, writeToken } = await register(manifest);
    await syncNotes(manifest, { client, workspace, writeToken, state, report }, env);
  }
  return manifests;
}

interface Sessions {
  state: SyncState;
  register: Register;
  manifests: readonly Manifest[];
}

async function syncSessions(work: SyncWork, sessions: Sessions): Promise<void> {
  const { files, problems } = await findTranscripts(agentFolders(work.env), ['claude-code', 'codex']);
  work.report.failed.push(...problems);
  const changed = files.filter(({ path }) => isChanged(sessions.state, path));
  for (const file of changed.reverse()) await sendFile(work, file, sessions);
}

function isChanged({ sessions }: SyncState, path: string): boolean {
  const known = sessions[path];
  const { mtimeMs, size } = statSync(path);
  return size > 0 && (known === undefined || known.mtimeMs !== mtimeMs || known.size !== size);
}

/** One that fails does not hold up the others; where nobody answers, all would. */
async function sendFile(work: SyncWork, file: TranscriptFile, { state, register, manifests }: Sessions): Promise<void> {
  const { client, report, onProgress } = work;
  try {
    const { mtimeMs, size } = statSync(file.path);
    const { workspaceId: workspace, writeToken, redact } = await register(await tripleOf(work, file, manifests));
    const session = sessionOf(file);
    const { status, bytes, sent } = await sendTranscript({
      client,
      workspace,
      writeToken,
      session,
      redact,
      file: file.path,
      source: file.agent,
      onProgress: (done, total) => onProgress?.(`Session ${session}`, done, total),
    });
    state.sessions[file.path] = { mtimeMs, size };
    if (status !== 'duplicate') report.sessions.push({ session, workspace, bytes, sent });
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'busy' || error.code === 'unauthorized')) throw error;
    report.failed.push(`${file.path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function tripleOf(
  { home }: SyncWork,
  file: TranscriptFile,
  manifests: readonly Manifest[],
): Promise<Pick<Manifest, 'machine' | 'tool' | 'project'>> {
  const directory = await readDirectory(file);
  const project = (directory === null ? null : (projectIn(directory) ?? basename(directory))) || 'default';
  const own = manifests.filter(({ tool }) => slugOf(tool) === slugOf(file.agent));
  const isHere = ({ cwd }: Manifest): boolean =>
    cwd !== null && directory !== null && projectFolder(cwd) === projectFolder(directory);
  const manifest = own.find(isHere) ?? own.find((one) => slugOf(one.project) === slugOf(project));
  return manifest ?? { machine: home.config.machine, tool: file.agent, project };
}

const HEAD_BYTES = 65_536;

/** Codex says it in its first line; Claude Code names the file so. */
function sessionOf({ agent, path }: Pick<TranscriptFile, 'agent' | 'path'>): string {
  const name = basename(path).replace(/\.jsonl(?:\.zst)?$/, '');
  if (agent !== 'codex') return name;
  const [, id] = /"session_meta".{0,200}?"id":"([\w-]{1,100})"/s.exec(readHead(path)) ?? [];
  return id ?? name.replace(/^rollout-\d{4}(?:-\d\d){2}T(?:\d\d-){3}/, '');
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** What an agent's hook says at the end of a session: that transcript first, then the notes. */
export async function runHook(work: SyncWork, event: Readonly<Record<string, unknown>>): Promise<void> {
  const state = await stateWith(work);
  const register = createRegister(work);
  try {
    const path = typeof event.transcript_path === 'string' ? event.transcript_path : '';
    const { manifests } = readManifests(work.home);
    if (path.endsWith('.jsonl') && existsSync(path))
      await sendFile(work, { agent: 'claude-code', path, changedAt: 0 }, { state, register, manifests });
    await syncManifests(work, state, register);
  } finally {
    work.home.writeState(state);
  }
}
