import pg from 'pg';
import type { Log } from '../../engine/ports.ts';
import type { Ear } from './database.ts';
import { decodeText } from './quote.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A line that died without a word is noticed after this long. */
const CHECK_EVERY_MS = 20_000;

/** One connection of its own that only listens, and comes back by itself for as long as anybody wants it. */
export function listenOn(
  config: pg.ClientConfig,
  { channel, ear, log }: { channel: string; ear: Ear; log: Log },
): () => void {
  let stopped = false;
  let pause = FIRST_PAUSE_MS;
  let wasLost = false;
  let aliveAt = performance.now();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    const fresh = new pg.Client(config);
    client = fresh;
    fresh.on('error', () => retry(fresh));
    fresh.on('end', () => retry(fresh));
    fresh.on('notification', ({ payload }) => ear.message(decodeText(payload ?? '')));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${channel}`);
    } catch {
      retry(fresh);
      return;
    }
    if (client !== fresh) return;
    pause = FIRST_PAUSE_MS;
    timer = setInterval(() => void check(fresh), CHECK_EVERY_MS).unref();
    wasLost = false;
    ear.ready(aliveAt);
    aliveAt = performance.now();
  }

  async function check(current: pg.Client): Promise<void> {
    const asked = performance.now();
    try {
      await current.query('SELECT 1');
      aliveAt = asked;
    } catch {
      retry(current);
    }
  }

  /** Whatever went wrong with this connection, and however many times it says so, one new one is tried. */
  function retry(broken: pg.Client): void {
    if (client !== broken) return;
    drop();
    if (stopped) return;
    if (!wasLost) log.warn('database_listener_lost', {});
    wasLost = true;
    timer = setTimeout(() => void connect(), pause * (0.5 + Math.random())).unref();
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }

  function drop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const old = client;
    client = null;
    // It is gone already, or goes now; nobody waits for it.
    old?.end().catch(() => {});
  }

  void connect();
  return () => {
    stopped = true;
    drop();
  };
}
