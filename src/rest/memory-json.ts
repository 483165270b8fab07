import type { Instant } from '../model/ids.ts';

export function toIso(instant: Instant): string {
  return new Date(instant).toISOString();
}
