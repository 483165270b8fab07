import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NAME = 'ltm-embed-v3.bin';

/** Beside the published bundle, or in models/ of a clone; null where neither has it. */
export function findModelFile(): string | null {
  const places = [new URL(`./${NAME}`, import.meta.url), new URL(`../../models/${NAME}`, import.meta.url)];
  return places.map((place) => fileURLToPath(place)).find((path) => existsSync(path)) ?? null;
}
