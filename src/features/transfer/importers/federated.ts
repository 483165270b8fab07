import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ImportedTranscript } from '../../../model/imported-parts.ts';
import { readForeignTime } from '../../../model/read-exact-time.ts';
import { asRow, type Imported, type Importer, parseJson, textOr } from './imported.ts';
import { listNotes, readNote } from './markdown-notes.ts';

/** federated-memory's folder: the notes of its workspaces as memories, their transcripts as transcripts of the same workspaces. */
export const federated: Importer = {
  name: 'federated-memory',
  about: 'federated-memory: its MEMORY_ROOT folder',
  recognise: ({ path, isFolder }) =>
    isFolder && existsSync(join(path, 'workspaces')) && existsSync(join(path, '_meta')),
  *read({ path }) {
    const root = join(path, 'workspaces');
    for (const entry of readdirSync(root, { withFileTypes: true }))
      if (entry.isDirectory()) yield* readWorkspace(join(root, entry.name), entry.name);
  },
};

function* readWorkspace(folder: string, workspace: string): Generator<Imported> {
  const identity = readFacts(join(folder, 'identity.json'));
  const project = textOr(identity.project, workspace);
  const overview = join(folder, 'overview.md');
  const knowledge = join(folder, 'knowledge');
  const isOverview = isOwnFile(overview);
  if (!isOverview && existsSync(overview)) yield { leftOut: `${workspace}/overview.md`, why: 'it is no file' };
  const files = [...(isOverview ? [overview] : []), ...(isOwnFolder(knowledge) ? listNotes(knowledge) : [])];
  for (const file of files) {
    const name = `${workspace}/${relative(folder, file).split(sep).join('/')}`;
    for (const item of readNote({ file, name, project, names: new Map(), links: [] }))
      yield 'memory' in item
        ? {
            memory: {
              ...item.memory,
              agent: textOr(identity.tool, null),
              trust: 'agent',
              tags: [...(item.memory.tags ?? []), `workspace:${workspace}`],
            },
          }
        : item;
  }
  const triple = {
    machine: textOr(identity.machine, 'imported'),
    tool: textOr(identity.tool, 'federated-memory'),
    project,
  };
  yield* readSessions(join(folder, 'sessions'), { triple, workspace });
}

/** No link, which may lead to any file of whoever imports, and nothing that never ends. */
function isOwnFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isOwnFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readFacts(path: string): Record<string, unknown> {
  return asRow(isOwnFile(path) ? parseJson(readFileSync(path, 'utf8')) : null);
}

const SESSION = /\.jsonl(?:\.gz)?$/;

/** What is known of a session stands beside it. Links are not followed. */
function* readSessions(
  folder: string,
  { triple, workspace }: { triple: Pick<ImportedTranscript, 'machine' | 'tool' | 'project'>; workspace: string },
): Generator<Imported> {
  if (!isOwnFolder(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!SESSION.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile()) {
      yield { leftOut: `${workspace}/sessions/${entry.name}`, why: 'it is no file' };
      continue;
    }
    const known = readFacts(file.replace(SESSION, '.meta.json'));
    const session = textOr(known.session_id, entry.name.replace(SESSION, ''));
    const facts = { session, file, startedAt: readForeignTime(known.started_at), source: textOr(known.source, null) };
    yield { transcript: { ...triple, ...facts } };
  }
}
