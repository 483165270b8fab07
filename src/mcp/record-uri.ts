import type { RecordId } from '../model/ids.ts';

export function recordUri(id: RecordId): string {
  return `memory://record/${id}`;
}
