import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { asRow, type Imported, type Importer, parseJson, textOr } from './imported.ts';
import { listNotes, readNote } from './markdown-notes.ts';

/** federated-memory's folder: the notes of its workspaces. Transcripts stay where they are. */
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
  const identityFile = join(folder, 'identity.json');
  const identity = asRow(existsSync(identityFile) ? parseJson(readFileSync(identityFile, 'utf8')) : null);
  const project = textOr(identity.project, workspace);
  const overview = join(folder, 'overview.md');
  const knowledge = join(folder, 'knowledge');
  const files = [...(existsSync(overview) ? [overview] : []), ...(existsSync(knowledge) ? listNotes(knowledge) : [])];
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
  if (existsSync(join(folder, 'sessions')))
    yield {
      leftOut: `the transcripts of ${workspace}`,
      why: 'an import brings memories; `ltm sync run` brings the sessions that agents still have on their machines',
    };
}
