import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';

/** Known to secret scanners by these letters. */
const PREFIX = 'ltmw_';
const NAME_CHARS = 32;

/**
 * The token that uploads to a workspace carry. It follows from a secret of the server, the workspace and how often it was made anew, so that it is
 * the same whenever it is asked for and stands in no record.
 */
export async function writeTokenOf(
  { secrets }: { secrets?: Secrets },
  { space, workspace, rotations }: { space: SpaceId; workspace: string; rotations: number },
): Promise<string> {
  return PREFIX + (await sign({ secrets }, [space, workspace, rotations])).toString('base64url');
}

/** Names the memory of a space: the same for as long as it is this one, wherever the database is moved, and another one in every other database. */
export async function memoryNameOf({ secrets }: { secrets?: Secrets }, space: SpaceId): Promise<string> {
  return (await sign({ secrets }, ['memory', space])).toString('hex').slice(0, NAME_CHARS);
}

async function sign({ secrets }: { secrets?: Secrets }, named: readonly (string | number)[]): Promise<Buffer> {
  if (secrets === undefined)
    throw new EngineError('storage_unsupported', 'This memory has no place for secrets, so there are no write tokens.');
  const key = await secrets.keepSecret('workspace_key', randomBytes(32).toString('base64url'));
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(JSON.stringify(named)).digest();
}

/** Takes the same time wherever the first difference is. */
export function isSameToken(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
