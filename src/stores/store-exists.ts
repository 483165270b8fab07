import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lateFunctions } from '../model/late.ts';

const { holdsTables } = lateFunctions(() => import('./postgres/with-care-client.ts'), 'holdsTables');

/** True when something of ours is at this location already; looks only, makes nothing. */
export async function storeExists(location: string): Promise<boolean> {
  if (/^postgres(ql)?:\/\//i.test(location)) {
    return holdsTables(location);
  }
  return existsSync(location.startsWith('file://') ? fileURLToPath(location) : location);
}
