import type { Kind } from '../../engine/records/kind.ts';
import { splitPassages } from '../../engine/records/split-passages.ts';
import { EngineError } from '../../model/errors.ts';
import { derivedRecordId, type RecordId } from '../../model/ids.ts';
import { hashContent } from '../../model/record.ts';
import { sha256Of } from '../../model/sha256.ts';
import { checkNotePath } from './workspace.ts';

export const NOTE = 'note';

/** A Markdown text of a workspace, kept to the byte. Its key is the workspace's id and its path. */
export const noteKind: Kind = {
  name: NOTE,
  plural: 'notes',
  staysHere: true,
  code: 21,
  ownVerbs: ['store', 'update', 'restore'],
  listPassages: ({ content }) =>
    content.trim() === '' ? [] : splitPassages(content).map((text) => ({ part: '', text })),
  derive(record) {
    const { content, body } = record;
    const path = String(body.path);
    return {
      ...record,
      title: titleOf(content) ?? path,
      contentHash: hashContent(content),
      body: { ...body, path, bytes: Buffer.byteLength(content), sha256: sha256Of(content) },
    };
  },
  findFaults({ workspace, key, body, content }) {
    const path = typeof body.path === 'string' ? body.path : '';
    if (workspace === null || key !== noteKey(workspace, path)) return ['its key is not its workspace and path'];
    if (body.sha256 !== undefined && body.sha256 !== sha256Of(content)) return ['its text is not the one it was'];
    try {
      checkNotePath(path);
      return [];
    } catch {
      return ['its path cannot be used'];
    }
  },
  describeHit: ({ workspace, body }) => ({ workspace_id: workspace, path: body.path ?? null }),
};

export function noteKey(workspace: string, path: string): string {
  return `${workspace}/${path}`;
}

/** The same on every replica: two machines that write the same path write the same note. */
export function noteRecordId(workspace: string, path: string): RecordId {
  return derivedRecordId(`note:${noteKey(workspace, path)}`);
}

export function noSuchNote(path: string): EngineError {
  return new EngineError('not_found', 'There is no such note.', { details: { path } });
}

/** The first heading, or what the front matter calls it. */
function titleOf(content: string): string | null {
  const [, title] = /^#{1,6}[ \t]+(.{1,200}?)[ \t]*#*[ \t]*\r?$/m.exec(content.slice(0, 4000)) ?? [];
  return title?.trim() || null;
}
