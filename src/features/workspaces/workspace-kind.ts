import type { Kind } from '../../engine/records/kind.ts';
import { splitPassages } from '../../engine/records/split-passages.ts';
import { hashContent, type RecordContent, type StoredRecord } from '../../model/record.ts';
import type { WorkspaceTriple } from '../../model/workspace-id.ts';

export const WORKSPACE = 'workspace';

/** What is kept of a workspace in its body. */
export interface WorkspaceBody extends WorkspaceTriple {
  description: string;
  overview: string;
  /** How often its write token was made anew; the token follows from it and a secret of the server. */
  rotations: number;
  redact: boolean;
}

/** A machine, a tool and a project, with what its agents say of it. Its key is its id. */
export const workspaceKind: Kind = {
  name: WORKSPACE,
  plural: 'workspaces',
  staysHere: true,
  code: 20,
  ownVerbs: ['store', 'update'],
  listPassages: ({ content }) => splitPassages(content).map((text) => ({ part: '', text })),
  derive(record) {
    const { description, overview } = bodyOf(record);
    const content = [record.key ?? '', description, overview].filter((text) => text !== '').join('\n\n');
    return { ...record, title: record.key, content, contentHash: hashContent(content) };
  },
  findFaults({ key, body }) {
    const texts = ['machine', 'tool', 'project', 'description', 'overview'];
    if (key === null || texts.some((name) => typeof body[name] !== 'string')) return ['it does not say what it is'];
    return [];
  },
  describeHit: ({ key }) => ({ workspace_id: key }),
};

export function bodyOf({ body }: Pick<RecordContent | StoredRecord, 'body'>): WorkspaceBody {
  const text = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
  return {
    machine: text('machine'),
    tool: text('tool'),
    project: text('project'),
    description: text('description'),
    overview: text('overview'),
    rotations: typeof body.rotations === 'number' ? body.rotations : 0,
    redact: body.redact !== false,
  };
}
