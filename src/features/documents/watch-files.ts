import { existsSync, type FSWatcher, watch } from 'node:fs';
import { resolve } from 'node:path';
import { findFiles } from './find-files.ts';
import { type FilesReport, type IngestFilesOptions, ingestFiles } from './ingest-files.ts';

export interface WatchOptions extends IngestFilesOptions {
  signal: AbortSignal;
  /** Files that were there before, and are not now. */
  onGone(paths: readonly string[]): Promise<void>;
  onReport(report: FilesReport): void;
}

/** How long it must be quiet before anything is read: editors write in several steps. */
const QUIET_MS = 400;

/** Takes in whatever changes until it is told to stop. What is there at the start counts as known. */
export async function watchFiles(paths: readonly string[], options: WatchOptions): Promise<void> {
  const { signal } = options;
  let known = takeStock(paths, options);
  let wake: (() => void) | null = null;
  let isDue = false;
  const nudge = (): void => {
    isDue = true;
    wake?.();
  };
  const watchers = paths.map((path) => watchPath(path, nudge));
  const untilNudged = (): Promise<void> =>
    new Promise((done) => {
      wake = done;
      if (isDue || signal.aborted) done();
    });
  signal.addEventListener('abort', nudge, { once: true });
  try {
    while (!signal.aborted) {
      await untilNudged();
      while (isDue && !signal.aborted) {
        isDue = false;
        await pause(QUIET_MS, signal);
      }
      if (!signal.aborted) known = await catchUp(paths, known, options);
    }
  } finally {
    for (const watcher of watchers) watcher.close();
  }
}

type Known = Map<string, string>;

async function catchUp(paths: readonly string[], known: Known, options: WatchOptions): Promise<Known> {
  const now = takeStock(paths, options);
  const gone = [...known.keys()].filter((path) => !now.has(path));
  const isChanged = [...now].some(([path, mark]) => known.get(path) !== mark);
  if (gone.length > 0) await options.onGone(gone);
  if (isChanged)
    options.onReport(
      await ingestFiles(
        paths.filter((path) => existsSync(path)),
        { ...options, signal: undefined, isKnown: ({ path }) => known.get(path) === now.get(path) },
      ),
    );
  return now;
}

function takeStock(paths: readonly string[], options: WatchOptions): Known {
  const stock: Known = new Map();
  // one that is watched may go and come back
  for (const path of paths)
    if (existsSync(path))
      for (const file of findFiles(path, options))
        if (!('skipped' in file)) stock.set(file.path, `${file.size}/${file.modifiedAt}`);
  return stock;
}

function watchPath(path: string, nudge: () => void): FSWatcher {
  const watcher = watch(resolve(path), { recursive: true, persistent: true }, nudge);
  watcher.on('error', nudge);
  return watcher;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });
}
