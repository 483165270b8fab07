import { SYSTEMS } from '../compat/systems.ts';
import type { Feature } from '../features/feature.ts';
import { FEATURES } from '../features/features.ts';

/** The features, and the systems that do without any other feature than these. */
export function declaredBy(features: readonly Feature[] = FEATURES): readonly Feature[] {
  const names = new Set(features.map(({ name }) => name));
  const systems: readonly Feature[] = SYSTEMS;
  return [...features, ...systems.filter(({ needs = [] }) => needs.every((name) => names.has(name)))];
}
