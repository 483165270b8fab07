import { existsSync, type FSWatcher, watch } from 'node:fs';
import type { Engine } from '../../../engine/engine.ts';
import type { Log } from '../../../engine/ports.ts';
import { ownerCaller } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Config } from '../../../settings/config.ts';
import type { RunningBriefly } from '../../host.ts';
import { hasEvents } from './has-events.ts';
import { type TakeOptions, takeSpool } from './take-spool.ts';

/** Records events where they belong: in the open database, or on a server. */
export type Deliver = TakeOptions['deliver'];

/** What hooks have captured on this machine is its owner's. */
export function recordHere(engine: Pick<Engine, 'recordEvents'>): Deliver {
  const owner = ownerCaller('job', 'hook');
  return (events) => engine.recordEvents(owner, [...events]);
}

/** What was not taken in when it is closed stays for the next. */
type Intake = RunningBriefly;

const POLL_MS = 2000;
/** Events come in bursts. */
const PAUSE_MS = 50;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/**
 * What hooks write down goes to one place: the server that this person has signed in to, or else the database of this machine. Somebody who has named another
 * server or another database for one command does not get it.
 */
export function isSpoolFor(place: 'database' | 'server', { server, origin }: Config): boolean {
  const isDatabaseNamed = origin.db.source === 'flag' || origin.db.source === 'environment';
  const goesFar = server !== null && !isDatabaseNamed;
  return place === 'database' ? !goesFar : goesFar && origin.server.source !== 'flag';
}

/** Takes in what is there and what comes, one round at a time, as long as it is open. Never keeps the process alive. */
export function startIntake(spool: string, { deliver, log }: { deliver: Deliver; log: Log }): Intake {
  let round: Promise<void> | null = null;
  let isClosed = false;
  let failures = 0;
  let restUntil = 0;
  let watcher: FSWatcher | null = null;
  let pause: NodeJS.Timeout | null = null;

  const take = (): void => {
    if (isClosed || round !== null || performance.now() < restUntil || !hasEvents(spool)) return;
    round = takeOnce().finally(() => {
      round = null;
    });
  };
  const takeOnce = async (): Promise<void> => {
    try {
      const { events, refused } = await takeSpool(spool, { deliver });
      failures = 0;
      if (refused > 0) log.warn('events_refused', { events, refused, folder: spool });
    } catch (error) {
      restUntil = performance.now() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++);
      log.warn('events_not_taken_in', { code: codeOf(error), message: messageOf(error), effect: 'tried again later' });
    }
  };
  const takeSoon = (): void => {
    pause ??= setTimeout(() => {
      pause = null;
      take();
    }, PAUSE_MS);
    pause.unref();
  };
  const follow = (): void => {
    if (isClosed) return;
    const end = (): void => {
      watcher = null;
    };
    // Where there is none yet, somebody looks now and then: beside the database, where it will be, every write would be told.
    if (existsSync(spool)) watcher ??= watchFolder(spool, (name) => name.endsWith('.jsonl'), { notice: takeSoon, end });
  };
  const timer = setInterval(() => {
    follow();
    take();
  }, POLL_MS);
  timer.unref();
  follow();
  take();
  return {
    async takeLast() {
      await round;
      await takeInBriefly(spool, { deliver, log });
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      if (pause !== null) clearTimeout(pause);
      watcher?.close();
      await round;
    },
  };
}

/** null where it cannot be watched, or is not there yet: then somebody looks now and then. */
function watchFolder(
  folder: string,
  isMeant: (name: string) => boolean,
  { notice, end }: { notice: () => void; end: () => void },
): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || isMeant(name)) notice();
    });
    watcher.on('error', () => {
      watcher.close();
      end();
    });
    return watcher;
  } catch {
    return null; // not there, or no more watches to be had
  }
}

/** For a command that somebody waits for: few, and not for long. */
const BRIEF = { maxEvents: 200, batch: 10 };
const BRIEF_MS = 80;

export async function takeInBriefly(spool: string, { deliver, log }: { deliver: Deliver; log: Log }): Promise<void> {
  if (!hasEvents(spool)) return;
  try {
    await takeSpool(spool, { deliver, ...BRIEF, until: performance.now() + BRIEF_MS });
  } catch (error) {
    log.warn('events_not_taken_in', {
      code: codeOf(error),
      message: messageOf(error),
      effect: 'left to the next program',
    });
  }
}

/** Takes in a little of what hooks have captured meanwhile, before a command works on the database of this machine. */
export async function takeInBeforeCommand({
  config,
  engine,
  log,
}: {
  config: Config;
  engine: Engine;
  log: Log;
}): Promise<void> {
  if (isSpoolFor('database', config)) await takeInBriefly(config.places.spool, { deliver: recordHere(engine), log });
}

function codeOf(error: unknown): string {
  return error instanceof EngineError ? error.code : ((error as NodeJS.ErrnoException).code ?? 'internal');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
