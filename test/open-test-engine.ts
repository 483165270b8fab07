import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { readSaidLine } from '../src/agents/read-said-line.ts';
import type { AuthStore } from '../src/auth/ports.ts';
import type { Engine, EngineSettings } from '../src/engine/engine.ts';
import { latePort } from '../src/engine/late-port.ts';
import type { Clock, Embedder, Log, Store } from '../src/engine/ports.ts';
import type { Kind } from '../src/engine/records/kind.ts';
import { createEngine } from '../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../src/features/default-settings.ts';
import type { DocumentReader } from '../src/features/documents/document-reader.ts';
import { FEATURES } from '../src/features/features.ts';
import type { Summarizer } from '../src/features/summaries/summarizer-port.ts';
import { type Caller, type Door, ownerOf } from '../src/model/caller.ts';
import { EngineError } from '../src/model/errors.ts';
import { createSharing } from '../src/server/open-engine.ts';
import { openStore } from '../src/stores/open-store.ts';

export const START = Date.UTC(2026, 0, 15, 12);
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export const silentLog: Log = { info() {}, warn() {}, error() {} };

export interface TestEngine {
  engine: Engine;
  store: Store & AuthStore;
  path: string;
  clock: TestClock;
}

export interface TestClock extends Required<Clock> {
  time: number;
  /** What the evenly running milliseconds stand at; `run` moves both. */
  ran: number;
  /** Time passes while programs run; setting `time` alone is a jump. */
  run(ms: number): void;
}

/** It stands still unless it is told to move. */
export function makeClock(time = START): TestClock {
  return {
    time,
    ran: 0,
    now() {
      return this.time;
    },
    elapsed() {
      return this.ran;
    },
    run(ms) {
      this.time += ms;
      this.ran += ms;
    },
  };
}

export interface TestEngineOptions {
  settings?: Partial<EngineSettings>;
  embedder?: Embedder;
  previousEmbedder?: Embedder;
  summarizer?: Summarizer;
  path?: string;
  clock?: TestClock;
  /** The engine knows teams and removals, as on a server. */
  isShared?: boolean;
  /** Beside the product's own. */
  kinds?: readonly Kind[];
  documents?: DocumentReader;
}

/** An engine on a real SQLite file with a clock that stands still; all of it is gone after the test. */
export async function openTestEngine(context: TestContext, options: TestEngineOptions = {}): Promise<TestEngine> {
  const clock = options.clock ?? makeClock();
  const path = options.path ?? join(makeFolder(), 'memory.db');
  const store = await openStore(path, { clock, log: silentLog });
  const { embedder = null, previousEmbedder = null, summarizer = null } = options;
  const engine = createEngine(
    {
      store,
      embedder,
      previousEmbedder,
      summarizer,
      clock,
      log: silentLog,
      secrets: store,
      documents: options.documents && latePort(async () => options.documents!),
      readSaid: readSaidLine,
      sharing: options.isShared === true ? createSharing(store) : undefined,
    },
    { ...DEFAULT_SETTINGS, ...options.settings },
    [...FEATURES, { name: 'test', kinds: options.kinds ?? [] }],
  );
  context.after(() => engine.close());
  return { engine, store, path, clock };
}

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function makeCaller(door: Door = 'mcp', more: Partial<Caller> = {}): Caller {
  return {
    userId: 'owner',
    space: 'owner',
    spaces: ['owner'],
    roles: ownerOf(more.spaces ?? ['owner']),
    scopes: new Set(['read', 'write', 'admin']),
    door,
    ...more,
  };
}

const WORD_DIMENSIONS = 64;

/** Texts with the same words get the same vector. `fails` makes it fail, `embedded` counts the texts it was given. */
export function makeWordEmbedder(): Embedder & { fails: boolean | ((text: string) => boolean); embedded: number } {
  return {
    id: 'words:64@v1',
    dimensions: WORD_DIMENSIONS,
    fails: false,
    embedded: 0,
    async embed(texts) {
      const { fails } = this;
      if (typeof fails === 'function' ? texts.some(fails) : fails)
        throw new EngineError('embedder_failed', 'The test embedder is down.');
      this.embedded += texts.length;
      return texts.map(wordVector);
    },
    async close() {},
  };
}

function wordVector(text: string): Float32Array {
  const vector = new Float32Array(WORD_DIMENSIONS);
  vector[0] = 0.01;
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    let slot = 7;
    for (const letter of word) slot = (slot * 31 + letter.codePointAt(0)!) % WORD_DIMENSIONS;
    vector[slot]! += 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

/** For assert.rejects: an EngineError of this code whose message and details match. */
export function engineError(
  code: string,
  message: RegExp = /./,
  details: Record<string, unknown> = {},
): (error: unknown) => boolean {
  return (error) => {
    if (!(error instanceof EngineError)) throw error;
    const shown = `${error.code}: ${error.message} ${JSON.stringify(error.details)}`;
    if (error.code !== code || !message.test(error.message))
      throw new Error(`Expected ${code} ${message}, got ${shown}`);
    for (const [name, value] of Object.entries(details))
      if (error.details[name] !== value) throw new Error(`Expected ${name} = ${value}, got ${shown}`);
    return true;
  };
}
