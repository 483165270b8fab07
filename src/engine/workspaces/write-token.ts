import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { EngineParts } from '../engine-parts.ts';

/** Known to secret scanners by these letters. */
const PREFIX = 'ltmw_';

/**
 * The token that uploads to a workspace carry. It follows from a secret of the server, the workspace and how often it was made anew, so that it is
 * the same whenever it is asked for and stands in no record.
 */
export async function writeTokenOf(
  { secrets }: Pick<EngineParts, 'secrets'>,
  { space, workspace, rotations }: { space: SpaceId; workspace: string; rotations: number },
): Promise<string> {
  if (secrets === undefined)
    throw new EngineError('storage_unsupported', 'This memory has no place for secrets, so there are no write tokens.');
  const key = await secrets.keepSecret('workspace_key', randomBytes(32).toString('base64url'));
  const named = JSON.stringify([space, workspace, rotations]);
  return PREFIX + createHmac('sha256', Buffer.from(key, 'base64url')).update(named).digest('base64url');
}

/** Takes the same time wherever the first difference is. */
export function isSameToken(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
