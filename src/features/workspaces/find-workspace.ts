import { authorize, isPerson } from '../../engine/authorize.ts';
import type { Records, Secrets } from '../../engine/ports.ts';
import { originOf } from '../../engine/records/origin.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { derivedRecordId, type RecordId } from '../../model/ids.ts';
import type { Source, StoredRecord, Trust } from '../../model/record.ts';
import { checkWorkspaceId } from '../../model/workspace-id.ts';
import { bodyOf } from './workspace-kind.ts';
import { isSameToken, writeTokenOf } from './write-token.ts';

/** The same on every replica, so that two machines that make it while apart make one. */
export function workspaceRecordId(workspace: string): RecordId {
  return derivedRecordId(`workspace:${workspace}`);
}

/** Deleted ones are not found. */
async function findWorkspace(
  { store }: { store: Records },
  { space }: Caller,
  workspace: string,
): Promise<StoredRecord | null> {
  const [record] = await store.getRecords(space, [workspaceRecordId(checkWorkspaceId(workspace))]);
  return record === undefined || record.deletedAt !== null ? null : record;
}

export async function needWorkspace(
  parts: { store: Records },
  caller: Caller,
  workspace: string,
): Promise<StoredRecord> {
  const record = await findWorkspace(parts, caller, workspace);
  if (record !== null) return record;
  throw new EngineError('not_found', 'There is no such workspace.', {
    hint: '`list_workspaces` or `ltm workspaces` shows which there are.',
    details: { workspace: workspace.slice(0, 200) },
  });
}

/**
 * The workspace that this caller may change by itself: the one it is bound to. Where a request has no session, its address says which that is;
 * a person at the machine of the database may name any. No argument of a tool changes it.
 */
export async function needOwnWorkspace(
  parts: { store: Records },
  caller: Caller,
  named: string | undefined,
): Promise<StoredRecord> {
  authorize(caller, 'tend', caller.space);
  const own = caller.workspace ?? (isPerson(caller) || caller.door === 'rest' ? named : undefined);
  if (own === undefined)
    throw new EngineError('forbidden', 'Nothing says which workspace is yours.', {
      hint: 'Call register_workspace first. Clients without sessions add ?workspace=ID to the address.',
    });
  if (named !== undefined && named !== own) throw notYours(own);
  return needWorkspace(parts, caller, own);
}

export function notYours(own: string): EngineError {
  return new EngineError('forbidden', 'Only your own workspace can be changed.', { details: { workspace: own } });
}

/** The workspace that this token may fill. A person at the machine of the database needs none. */
export async function needWritable(
  parts: { store: Records; secrets?: Secrets },
  caller: Caller,
  { workspace, writeToken }: { workspace: string; writeToken?: string },
): Promise<StoredRecord> {
  authorize(caller, 'upload', caller.space);
  if (caller.workspace !== undefined && caller.workspaceIsFixed === true && caller.workspace !== workspace)
    throw notYours(caller.workspace);
  const record = await needWorkspace(parts, caller, workspace);
  if (writeToken === undefined && isPerson(caller)) return record;
  const { rotations } = bodyOf(record);
  const expected = await writeTokenOf(parts, { space: caller.space, workspace, rotations });
  if (writeToken !== undefined && isSameToken(writeToken, expected)) return record;
  throw new EngineError('forbidden', 'The write token is not the one of this workspace.', {
    hint: 'Register the workspace again to be given its token.',
    details: { workspace },
  });
}

/** Origin of what comes into a workspace. Where secrets are kept there, a person wanted it so, and it says so. */
export function originIn(caller: Caller, place: StoredRecord): { source: Source; trust: Trust } {
  const { machine, redact } = bodyOf(place);
  const { source, trust } = originOf(caller, caller.host ?? machine.slice(0, 200));
  return { source: redact ? source : { ...source, unredacted: true }, trust };
}
