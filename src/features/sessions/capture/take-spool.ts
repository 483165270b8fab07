import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseJson } from '../../../model/json-text.ts';
import type { SessionEvent } from '../../../model/session-event.ts';
import { isAlive } from '../../../settings/is-alive.ts';
import { listNames } from '../../../settings/list-names.ts';
import { keepReserve } from './spool.ts';

export interface TakeOptions {
  /** Records them, or fails as a whole. Whatever is delivered twice must be recorded once. */
  deliver(events: readonly SessionEvent[]): Promise<{ refused: readonly { key: string; reason: string }[] }>;
  /** Stop after so many, or at this time, though not before the first batch; the rest stays for the next who comes. */
  maxEvents?: number;
  until?: number;
  /** Of one delivery; fewer where somebody waits for the end. */
  batch?: number;
}

export interface Taken {
  events: number;
  refused: number;
}

/** Of one delivery: a server takes a megabyte in one request. */
const BATCH_EVENTS = 100;
const BATCH_CHARS = 400_000;
/** Somebody who has held a file for so long is not coming back, even if the number of the process is in use. */
const ABANDONED_MS = 15 * 60_000;
const SKIPPED_MS = 24 * 3_600_000;
const MOST_REFUSED = 1 << 20;

/**
 * Takes in what hooks have written down. Each file is renamed first, so that of several takers one has it; it is deleted when everything in it is recorded. What a
 * killed taker has left is taken again.
 */
export async function takeSpool(folder: string, options: TakeOptions): Promise<Taken> {
  const taken: Taken = { events: 0, refused: 0 };
  const names = listNames(folder).filter((name) => name.endsWith('.jsonl') || isAbandoned(folder, name));
  for (const name of names) {
    if (isSpent(options, taken)) break;
    const mine = claim(folder, name);
    if (mine !== null) await takeFile(folder, mine, { options, taken });
  }
  if (taken.events > 0) {
    keepReserve(folder);
    sweepSkips(folder);
  }
  return taken;
}

function isSpent(
  { maxEvents = Number.POSITIVE_INFINITY, until = Number.POSITIVE_INFINITY }: TakeOptions,
  { events }: Taken,
): boolean {
  return events >= maxEvents || (events > 0 && performance.now() >= until);
}

function isAbandoned(folder: string, name: string): boolean {
  const pid = /-(\d+)-[^-]+\.taking$/.exec(name)?.[1];
  if (pid === undefined) return false;
  if (Number(pid) !== process.pid && !isAlive(Number(pid))) return true;
  const { ctimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { ctimeMs: Date.now() };
  return Date.now() - ctimeMs > ABANDONED_MS;
}

/** null: another taker was faster. */
function claim(folder: string, name: string): string | null {
  const mine = `${name.split(/[-.]/)[0]}-${process.pid}-${randomUUID().slice(0, 8)}.taking`;
  try {
    renameSync(join(folder, name), join(folder, mine));
    return mine;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function takeFile(
  folder: string,
  name: string,
  { options, taken }: { options: TakeOptions; taken: Taken },
): Promise<void> {
  const path = join(folder, name);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  let at = 0;
  try {
    while (at < lines.length && !isSpent(options, taken)) {
      const most = (options.maxEvents ?? Number.POSITIVE_INFINITY) - taken.events;
      const end = batchEnd(lines, at, Math.min(most, options.batch ?? BATCH_EVENTS));
      const events: SessionEvent[] = [];
      for (const line of lines.slice(at, end)) {
        const event = parseJson(line);
        if (isObject(event) && typeof event.key === 'string') events.push(event as unknown as SessionEvent);
        else refuse(folder, taken, { reason: 'unreadable', line });
      }
      const { refused } = events.length === 0 ? { refused: [] } : await options.deliver(events);
      for (const { key, reason } of refused)
        refuse(folder, taken, { reason, event: events.find((event) => event.key === key) });
      taken.events += events.length;
      at = end;
    }
  } finally {
    settle(folder, path, lines.slice(at));
  }
}

function batchEnd(lines: readonly string[], from: number, most: number): number {
  let chars = 0;
  let end = from;
  while (end < lines.length && end - from < most) {
    chars += lines[end]!.length;
    if (end > from && chars > BATCH_CHARS) break;
    end++;
  }
  return end;
}

/** What is recorded goes; the rest is a file of its own again. Where that cannot be written, all of it stays: what is recorded is recorded once. */
function settle(folder: string, path: string, rest: readonly string[]): void {
  const again = join(folder, `rest-${process.pid}-${randomUUID().slice(0, 8)}.jsonl`);
  if (rest.length > 0) {
    try {
      writeFileSync(`${again}.new`, `${rest.join('\n')}\n`, { mode: 0o600, flush: true });
      renameSync(`${again}.new`, again);
    } catch {
      rmSync(`${again}.new`, { force: true });
      renameSync(path, again); // no room for a copy
      return;
    }
  }
  rmSync(path, { force: true });
}

/** Kept to be looked at, as long as there is room for it; `ltm status` counts them. */
function refuse(folder: string, taken: Taken, what: { reason: string; line?: string; event?: SessionEvent }): void {
  taken.refused++;
  const path = join(folder, 'refused', 'events.jsonl');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_REFUSED) return;
  mkdirSync(join(folder, 'refused'), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(what)}\n`, { flag: 'a', mode: 0o600 });
}

/** Marks of turns that nobody wanted captured, of sessions that never went on. */
function sweepSkips(folder: string): void {
  for (const name of listNames(join(folder, 'skip'))) {
    const path = join(folder, 'skip', name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > SKIPPED_MS) rmSync(path, { force: true });
  }
}
