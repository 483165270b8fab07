import { EngineError } from '../../../model/errors.ts';
import { choice, integer, label, text } from '../../../verbs/field.ts';
import { searchInService } from '../search-in-service.ts';
import { projectOfStore } from '../service-arguments.ts';
import { type CallWith, defineRoute, problem, type ServiceRoute } from './service-route.ts';

const MODES = ['resonance', 'phase', 'hybrid'] as const;
const ASKED = {
  query: text(undefined, { min: 1, max: 10_000, isRequired: true }),
  top_k: integer(1, 100),
  mode: choice(MODES),
  store: label(),
};
/** So many of the nearest by meaning are compared as waves. */
const COMPARED = 100;
const MOST_CHARS = 4000;
/** What interference and phase count in mode hybrid. */
const SHARES = { resonance: 0.7, phase: 0.3 };

/** Vectors compared as waves, with amplitude and phase for each dimension. The nearest by meaning are compared, not all there are. */
async function searchByResonance(call: CallWith<{ body: typeof ASKED }>): Promise<object> {
  const { engine, caller, body } = call;
  const { query, top_k: most = 10, mode = 'hybrid' } = body;
  const { memories: stored, embedder } = await engine.checkHealth(caller);
  if (embedder === null) throw problem(503, 'Resonance search requires an embedding model.');
  const { found } = await searchInService(call, {
    query,
    mode: 'semantic',
    limit: COMPARED,
    project: projectOfStore(body.store),
  });
  const memories = found.map(({ memory }) => memory);
  const texts = [query, ...memories.map(({ content }) => content.slice(0, MOST_CHARS))];
  const { vectors } = await engine.embedTexts(caller, texts).catch((error: unknown) => {
    throw error instanceof EngineError && error.code === 'embedder_failed' ? problem(503, error.message) : error;
  });
  const [asked, ...waves] = vectors.map(toWave);
  const results = waves.map((wave, at) => ({
    content_hash: memories[at]!.contentHash,
    ...compareWaves(asked!, wave, mode),
  }));
  results.sort((a, b) => b.score - a.score);
  return { query, mode, results: results.slice(0, most), total_stored: stored, backend: 'resonance' };
}

interface Wave {
  real: Float64Array;
  imaginary: Float64Array;
}

/** How far a dimension is from the mean of all, in deviations, is its amplitude and its phase. */
export function toWave(vector: Float32Array): Wave {
  const count = Math.max(1, vector.length);
  const mean = vector.reduce((sum, value) => sum + value, 0) / count;
  const spread = Math.sqrt(vector.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count);
  const unit = spread < 1e-10 ? 1 : spread;
  const wave = { real: new Float64Array(vector.length), imaginary: new Float64Array(vector.length) };
  for (let i = 0; i < vector.length; i++) {
    const relative = (vector[i]! - mean) / unit;
    const amplitude = Math.sqrt(Math.abs(relative)) + 1e-10;
    const phase = (relative > 0 ? 1 : -1) * Math.min(Math.abs(relative) / 2, 1) * (Math.PI / 2);
    wave.real[i] = amplitude * Math.cos(phase);
    wave.imaginary[i] = amplitude * Math.sin(phase);
  }
  return wave;
}

export function compareWaves(a: Wave, b: Wave, mode: (typeof MODES)[number]) {
  let product = 0;
  let energyA = 0;
  let energyB = 0;
  let shift = 0;
  for (let i = 0; i < a.real.length; i++) {
    const [ax, ay, bx, by] = [a.real[i]!, a.imaginary[i]!, b.real[i]!, b.imaginary[i]!];
    product += ax * bx + ay * by;
    energyA += ax * ax + ay * ay;
    energyB += bx * bx + by * by;
    shift += Math.abs(Math.atan2(ay, ax) - Math.atan2(by, bx));
  }
  const energy = Math.sqrt(energyA * energyB);
  const resonance = energy === 0 ? 0 : Math.min(1, Math.max(0, product / energy));
  const phaseShift = a.real.length === 0 ? 0 : shift / a.real.length / Math.PI;
  const details = {
    resonance: mode === 'phase' ? 0 : round(resonance),
    phase_shift: mode === 'resonance' ? 0 : round(phaseShift),
  };
  const score =
    mode === 'resonance'
      ? resonance
      : mode === 'phase'
        ? 1 - phaseShift
        : SHARES.resonance * resonance + SHARES.phase * (1 - phaseShift);
  return { score: round(score), details };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

export const RESONANCE_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'POST /memories/resonance-search', needs: 'read', body: ASKED, handle: searchByResonance }),
];
