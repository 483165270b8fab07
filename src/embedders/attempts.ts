import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';

const MAX_ATTEMPTS = 4;
const MAX_AT_ONCE = 2;
const MAX_PAUSE_MS = 20_000;
/** After so many calls in a row that failed, the service is left in peace for a while. */
const BREAK_AFTER = 5;
const BREAK_MS = 30_000;

export interface Attempts {
  /** Calls until it works, within reason: at most two calls at a time, pauses in between, none at all while the service is known to be down. */
  run<T>(call: Call<T>, maxAttempts?: number): Promise<T>;
  close(): void;
}

type Call<T> = (signal: AbortSignal) => Promise<{ response: Response; read: () => Promise<T> }>;

export interface AttemptOptions {
  timeoutMs?: number;
  /** The first pause before a second try; doubles with each. */
  backoffMs?: number;
  clock: Clock;
  log: Log;
}

/** A failure that another attempt may cure. */
class Passing extends Error {
  readonly waitMs: number | null;
  constructor(message: string, waitMs: number | null, cause?: unknown) {
    super(message, { cause });
    this.waitMs = waitMs;
  }
}

export function createAttempts({ timeoutMs = 30_000, backoffMs = 500, clock, log }: AttemptOptions): Attempts {
  const closing = new AbortController();
  const gate = createGate(MAX_AT_ONCE);
  let failedCalls = 0;
  let brokenUntil = 0;

  async function attempt<T>(call: Call<T>): Promise<T> {
    if (closing.signal.aborted) throw failure('The embedder is closed.');
    if (clock.now() < brokenUntil)
      throw failure('The embeddings service failed several times; ltm will retry shortly.');
    try {
      const { response, read } = await call(AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]));
      if (!response.ok) throw await refused(response, clock);
      const value = await read();
      failedCalls = 0;
      return value;
    } catch (error) {
      if (closing.signal.aborted) throw failure('The embedder is closed.', error);
      if (++failedCalls >= BREAK_AFTER) brokenUntil = clock.now() + BREAK_MS;
      throw error instanceof EngineError || error instanceof Passing
        ? error
        : new Passing(describe(error, timeoutMs), null, error);
    }
  }

  return {
    async run(call, maxAttempts = MAX_ATTEMPTS) {
      for (let tries = 1; ; tries++) {
        try {
          return await gate(() => attempt(call));
        } catch (error) {
          if (!(error instanceof Passing)) throw error;
          const waitMs = error.waitMs ?? backoffMs * 2 ** (tries - 1) * (0.75 + Math.random() / 2);
          log.warn('embedder_attempt_failed', { attempt: tries, message: error.message });
          if (tries >= maxAttempts || waitMs > MAX_PAUSE_MS) throw failure(error.message, error);
          await pause(waitMs, undefined, { signal: closing.signal }).catch((cause: unknown) => {
            throw failure('The embedder is closed.', cause);
          });
        }
      }
    },
    close: () => closing.abort(),
  };
}

/** 429 and 5xx pass; any other status means that the request itself is wrong. The body is not repeated: it may quote the texts. */
async function refused(response: Response, clock: Clock): Promise<Error> {
  await response.body?.cancel();
  const message = `The embeddings service answered with status ${response.status}.`;
  if (response.status === 429 || response.status === 408 || response.status >= 500)
    return new Passing(message, readRetryAfter(response.headers.get('retry-after'), clock));
  const hint =
    response.status === 401 || response.status === 403
      ? 'Check the setting embedder_key.'
      : 'Check embedder_url and embedder_model.';
  return new EngineError('embedder_failed', message, { hint, details: { status: response.status } });
}

function readRetryAfter(header: string | null, clock: Clock): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - clock.now());
}

function describe(error: unknown, timeoutMs: number): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `The embeddings service did not answer within ${timeoutMs} ms.`;
  return 'The embeddings service cannot be reached.';
}

function failure(message: string, cause?: unknown): EngineError {
  return new EngineError('embedder_failed', message, { cause });
}

/** Lets so many run at a time; one that ends hands its place to the one that waited longest. */
function createGate(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
