import { authorize, isAllowed } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records } from '../../engine/ports.ts';
import { retryConflicts } from '../../engine/records/change-record.ts';
import { checkText } from '../../engine/records/check-text.ts';
import { makeSearchable } from '../../engine/records/make-searchable.ts';
import { originOf } from '../../engine/records/origin.ts';
import { contentOf, putRecord } from '../../engine/records/record-changes.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordState, StoredRecord } from '../../model/record.ts';
import { type WorkspaceTriple, workspaceIdOf } from '../../model/workspace-id.ts';
import { needOwnWorkspace, needWorkspace, notYours, workspaceRecordId } from './find-workspace.ts';
import { MAX_OVERVIEW_BYTES, readTripleName, secondWorkspaceIdOf } from './workspace.ts';
import { bodyOf, WORKSPACE, type WorkspaceBody } from './workspace-kind.ts';
import { writeTokenOf } from './write-token.ts';

const MAX_DESCRIPTION_CHARS = 2000;

export interface RegisterInput extends WorkspaceTriple {
  description?: string;
  /** A new write token, so that the one before is worth nothing. */
  rotate?: boolean;
  /** The workspace that the caller's session is bound to: no other may be meant. */
  boundTo?: string;
  /** The caller keeps its write token; whoever is merely bound to it is not shown one. */
  wantsToken?: boolean;
}

export interface Registered {
  workspaceId: string;
  created: boolean;
  writeToken?: string;
  redact: boolean;
}

/** The same triple is the same workspace, whoever registers it and how often. */
export async function registerWorkspace(
  parts: EngineParts,
  caller: Caller,
  { description, rotate = false, wantsToken = false, boundTo, ...given }: RegisterInput,
): Promise<Registered> {
  authorize(caller, 'register', caller.space);
  if (rotate || wantsToken) authorize(caller, 'upload', caller.space);
  const triple = {
    machine: readTripleName('machine', given.machine),
    tool: readTripleName('tool', given.tool),
    project: readTripleName('project', given.project),
  };
  if (description !== undefined) checkDescription(description);
  await refuseSecretNames(parts, caller, triple);
  return retryConflicts(async () => {
    const { id, known } = await placeOf(parts, caller, triple);
    if (caller.workspaceIsFixed === true && caller.workspace !== id) throw notYours(caller.workspace ?? '');
    if (boundTo !== undefined && boundTo !== id)
      throw new EngineError('conflict', 'This session is bound to another workspace.', {
        hint: 'Begin another session, or say rebind: true.',
        details: { workspace: boundTo },
      });
    const before = known === null ? null : bodyOf(known);
    const body: WorkspaceBody = {
      overview: '',
      rotations: 0,
      redact: true,
      ...before,
      ...triple,
      description: description ?? before?.description ?? '',
    };
    if (rotate) body.rotations++;
    const created = known === null || known.deletedAt !== null;
    const isSame = !created && before !== null && JSON.stringify(sorted(body)) === JSON.stringify(sorted(before));
    if (!isSame && (await putWorkspace(parts, caller, { id, known, body })) === null) return null;
    const { rotations, redact } = body;
    if (!wantsToken) return { workspaceId: id, created, redact };
    const writeToken = await writeTokenOf(parts, { space: caller.space, workspace: id, rotations });
    return { workspaceId: id, created, redact, writeToken };
  });
}

/** They become the id, where nothing can be replaced. */
async function refuseSecretNames(parts: EngineParts, caller: Caller, triple: WorkspaceTriple): Promise<void> {
  const redactor = await openRedactor(parts, caller);
  for (const [field, name] of Object.entries(triple))
    if (redactor.value(field, name).value !== name)
      throw new EngineError('invalid_input', `The ${field} looks like a secret and cannot be stored.`, {
        hint: 'Give it a name that says what it is.',
        details: { field },
      });
}

function sorted(body: WorkspaceBody): [string, unknown][] {
  return Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
}

function checkDescription(description: string): void {
  checkText('description', description);
  if (description.length > MAX_DESCRIPTION_CHARS)
    throw new EngineError('too_large', `A description has at most ${MAX_DESCRIPTION_CHARS} characters.`, {
      details: { field: 'description', limit: MAX_DESCRIPTION_CHARS },
    });
}

interface Place {
  id: string;
  known: StoredRecord | null;
}

/** Another triple may have the same id: then this one has a second name. */
async function placeOf({ store }: { store: Records }, { space }: Caller, triple: WorkspaceTriple): Promise<Place> {
  for (const id of [workspaceIdOf(triple), secondWorkspaceIdOf(triple)]) {
    const [known = null] = await store.getRecords(space, [workspaceRecordId(id)]);
    if (known === null || isSameTriple(bodyOf(known), triple)) return { id, known };
  }
  throw new EngineError('conflict', 'Another workspace already has this name.', {
    hint: 'Choose another name for the project.',
  });
}

function isSameTriple(a: WorkspaceTriple, b: WorkspaceTriple): boolean {
  return a.machine === b.machine && a.tool === b.tool && a.project === b.project;
}

interface Put {
  id: string;
  known: StoredRecord | null;
  body: WorkspaceBody;
}

async function putWorkspace(parts: EngineParts, caller: Caller, { id, known, body }: Put): Promise<RecordState | null> {
  const now = parts.clock.now();
  const made = makeContent(parts.kinds.need(WORKSPACE), now, {
    ...(known !== null && { createdAt: known.createdAt }),
    key: id,
    workspace: id,
    project: body.project.slice(0, 200),
    agent: body.tool.slice(0, 200),
    ...originOf(caller, caller.host ?? body.machine),
    body: { ...body },
  });
  const redactor = await openRedactor(parts, caller);
  const { content } = body.redact
    ? redactor.content(made, known === null ? undefined : contentOf(known))
    : { content: made };
  const { passages, vectors } = await makeSearchable(parts, content);
  const options = { passages, vectors, unlessDuplicate: false };
  return putRecord(parts, caller, { id: workspaceRecordId(id), content, known, ...options });
}

/** What everybody reads first of a workspace; the text before it stays a version. */
export async function writeOverview(
  parts: EngineParts,
  caller: Caller,
  { workspace, content }: { workspace?: string; content: string },
): Promise<{ workspaceId: string; outcome: 'updated' | 'unchanged' }> {
  checkText('content', content);
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_OVERVIEW_BYTES)
    throw new EngineError('too_large', `An overview has at most ${MAX_OVERVIEW_BYTES} bytes; this one has ${bytes}.`, {
      hint: 'Keep details in notes.',
      details: { field: 'content', limit: MAX_OVERVIEW_BYTES, value: bytes },
    });
  return retryConflicts(async () => {
    const known = await needOwnWorkspace(parts, caller, workspace);
    const id = known.key ?? '';
    const body = { ...bodyOf(known), overview: content };
    if (bodyOf(known).overview === content) return { workspaceId: id, outcome: 'unchanged' };
    const put = await putWorkspace(parts, caller, { id, known, body });
    return put === null ? null : { workspaceId: id, outcome: 'updated' };
  });
}

/** Whether secrets in what is uploaded to it are replaced; for those who run the memory. */
export async function setRedaction(
  parts: EngineParts,
  caller: Caller,
  { workspace, redact }: { workspace: string; redact: boolean },
): Promise<{ workspaceId: string; redact: boolean }> {
  authorize(caller, 'admin', caller.space);
  return retryConflicts(async () => {
    const known = await needWorkspace(parts, caller, workspace);
    if (bodyOf(known).redact === redact) return { workspaceId: workspace, redact };
    const body = { ...bodyOf(known), redact };
    const put = await putWorkspace(parts, caller, { id: workspace, known, body });
    return put === null ? null : { workspaceId: workspace, redact };
  });
}

/** Whether whoever asks is one who uploads, rather than an agent that is bound. */
export function keepsTokens(caller: Caller): boolean {
  if (caller.powers !== undefined) return caller.powers.has('upload');
  return caller.door !== 'mcp' && isAllowed(caller, 'upload', caller.space);
}
