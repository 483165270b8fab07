import type { Feature } from '../features/feature.ts';
import { FEATURES } from '../features/features.ts';
import { VERSION } from '../model/version.ts';

const features: readonly Feature[] = FEATURES;

/** Two programs that agree on it understand each other; null without a feature that has one. */
export const PROTOCOL = features.find(({ protocol }) => protocol !== undefined)?.protocol ?? null;

export function describeVersion(): string {
  return `ltm version ${VERSION}${PROTOCOL === null ? '' : ` (protocol ${PROTOCOL})`}`;
}
