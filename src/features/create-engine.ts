import {
  type Engine,
  type EngineFeature,
  type EnginePorts,
  type EngineSettings,
  joinEngine,
} from '../engine/engine.ts';
import { FEATURES } from './features.ts';

/** The core with its features: all of the program's where no others are given. */
export function createEngine(
  ports: EnginePorts,
  settings: EngineSettings,
  features: readonly EngineFeature[] = FEATURES,
): Engine {
  return joinEngine(ports, settings, features);
}
