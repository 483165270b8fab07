import { type FSWatcher, watch } from 'node:fs';
import type { MirrorFiles } from './mirror-files.ts';
import { type MirrorReport, type MirrorSource, mirrorOnce } from './mirror-folder.ts';

/** Editors write a file in several steps. */
const SETTLE_MS = 300;

export interface MirrorWatch {
  /** Something has changed, here or there. */
  touch(): void;
  stop(): Promise<void>;
}

interface WatchOptions {
  /** How often to look although nothing was noticed; 0: never. */
  everyMs: number;
  onRound(report: MirrorReport): void;
  onFailure(error: unknown): void;
}

/** A round now, and one whenever a file or the memory has changed; never two at a time. */
export function watchMirror(source: MirrorSource, files: MirrorFiles, options: WatchOptions): MirrorWatch {
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;
  let round: Promise<void> = Promise.resolve();
  const touch = (): void => {
    if (isStopped || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      round = round.then(run);
    }, SETTLE_MS);
  };
  const run = async (): Promise<void> => {
    if (isStopped) return;
    await mirrorOnce(source, files).then(options.onRound, options.onFailure);
  };
  const watcher = watchFolder(files.root, touch);
  const interval = options.everyMs === 0 ? null : setInterval(touch, options.everyMs);
  interval?.unref();
  round = run();
  return {
    touch,
    async stop() {
      isStopped = true;
      watcher?.close();
      if (timer !== null) clearTimeout(timer);
      if (interval !== null) clearInterval(interval);
      await round;
    },
  };
}

/** Null where the system cannot watch folders: then the intervals have to do. What a round writes itself is no news. */
function watchFolder(folder: string, touch: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { recursive: true }, (_event, name) => {
      if (name !== null && /(?:^|[/\\])knowledge[/\\](?!\.versions)/.test(name) && name.endsWith('.md')) touch();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
