import type { Engine } from '../../src/engine/engine.ts';
import type { Store } from '../../src/engine/ports.ts';
import { createEngine } from '../../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../src/features/default-settings.ts';
import { EngineError } from '../../src/model/errors.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { makeWordEmbedder, START, silentLog } from '../open-test-engine.ts';

export interface Twin {
  engine: Engine;
  store: Store;
  clock: { time: number };
}

export interface TwinStep {
  /** What both said, ids cut to their times; or how they differ. */
  answers: [string, string];
  /** The ids in the answers, pair by pair. */
  ids: [string, string][];
}

const RECORD_ID = /\b[0-9a-hjkmnp-tv-z]{20}\b/g;
/** Each database is a replica of its own. */
const REPLICA = /\b[0-9a-f]{16}(?=(?:\\*")?:\d)/g;
/** Of lines that hold ids and replicas. */
const LINE_SUM = /(crc\\*":\\*")[0-9a-f]{8}/g;
const CURSOR = /"cursor":"[^"]+"/g;
/** Beside each other on the same machine they may take different times. */
const DURATIONS = /"ms":\{[^}]*\}/g;

/** An engine whose clock moves with every operation and not within one: background work looks at it too, at different moments on both databases. */
export async function openTwin(location: string): Promise<Twin> {
  const clock = { time: START };
  const store = await openStore(location, { clock: { now: () => clock.time }, log: silentLog });
  const ports = { store, embedder: makeWordEmbedder(), clock: { now: () => clock.time }, log: silentLog };
  return { engine: createEngine(ports, { ...DEFAULT_SETTINGS, flushPassages: 50 }), store, clock };
}

/** Does the same on both and brings both answers, refusals included, into a form that must be equal letter by letter. */
export async function doTwice(
  twins: readonly [Twin, Twin],
  work: (twin: Twin, side: 0 | 1) => Promise<unknown>,
): Promise<TwinStep> {
  const texts = await Promise.all([say(twins[0], (twin) => work(twin, 0)), say(twins[1], (twin) => work(twin, 1))]);
  const [left, right] = texts.map((text) => text.match(RECORD_ID) ?? []);
  const ids = left!.map((id, i): [string, string] => [id, right![i] ?? '']);
  const time = Math.max(twins[0].clock.time, twins[1].clock.time) + 1;
  for (const { clock } of twins) clock.time = time;
  return { answers: [simplify(texts[0]), simplify(texts[1])], ids };
}

async function say(twin: Twin, work: (twin: Twin) => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await work(twin)) ?? 'nothing';
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === 'internal' || error.code === 'busy') throw error;
    return JSON.stringify({ code: error.code, message: error.message, hint: error.hint, details: error.details });
  }
}

function simplify(text: string): string {
  return text
    .replaceAll(RECORD_ID, (id) => `${id.slice(0, 10)}…`)
    .replaceAll(REPLICA, '…')
    .replaceAll(LINE_SUM, '$1…')
    .replaceAll(CURSOR, '"cursor":"…"')
    .replaceAll(DURATIONS, '');
}
