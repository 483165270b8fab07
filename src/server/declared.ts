import { SYSTEMS } from '../compat/systems.ts';
import type { Feature } from '../features/feature.ts';

/** Features, and the systems that do without any other than these. */
export function declaredBy(features: readonly Feature[]): readonly Feature[] {
  return [...features, ...systemsFor(features)];
}

/** The systems that do without any other feature than these. */
export function systemsFor(features: readonly Feature[]): readonly Feature[] {
  const names = new Set(features.map(({ name }) => name));
  const systems: readonly Feature[] = SYSTEMS;
  return systems.filter(({ needs = [] }) => needs.every((name) => names.has(name)));
}
