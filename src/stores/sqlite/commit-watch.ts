import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../engine/ports.ts';
import type { Committed } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { Sequence, SpaceId } from '../../model/ids.ts';
import type { Connection } from './connection.ts';
import { isBusy, translateError } from './translate-error.ts';

/** Soon enough for people who look on; a look costs some ten microseconds. */
const LOOK_EVERY_MS = 400;

type Listener = (space: SpaceId) => void;
type HeadRow = { space_id: SpaceId; seq: Sequence };

export interface CommitWatch {
  watch(onCommit: Listener): () => void;
  /** This process has committed, and the disk has it. */
  tell(space: SpaceId, committed: Committed): void;
  close(): void;
}

/** Own commits are told at once; those of other processes are noticed by the database's change counter. Nobody listens: nothing runs. */
export function createCommitWatch(connection: Connection, log: Log): CommitWatch {
  const listeners = new Set<Listener>();
  const heads = new Map<SpaceId, Sequence>();
  let seen: { database: DatabaseSync; version: unknown } | null = null;
  let timer: NodeJS.Timeout | null = null;
  let failing = false;
  let closed = false;

  function tellOf(space: SpaceId, head: Sequence): void {
    if ((heads.get(space) ?? 0) >= head) return;
    heads.set(space, head);
    for (const listener of listeners) listener(space);
  }

  function readChangedHeads(): HeadRow[] {
    const { database } = connection;
    const version = connection.statement('PRAGMA data_version').get()?.data_version;
    // The counter is the connection's own: after a renewal it says nothing about before.
    if (seen?.database === database && seen.version === version) return [];
    const rows = connection.statement('SELECT space_id, seq FROM feed_heads').all() as HeadRow[];
    seen = { database, version };
    return rows;
  }

  /** Empty where the database cannot be read just now: the next look makes up for it. */
  function readHeadsIfPossible(): HeadRow[] {
    try {
      const rows = readChangedHeads();
      failing = false;
      return rows;
    } catch (error) {
      if (!isBusy(error) && !failing) log.warn('watch_failed', { code: translateError(error).code });
      failing = !isBusy(error);
      return [];
    }
  }

  function look(): void {
    for (const { space_id, seq } of readHeadsIfPossible()) tellOf(space_id, seq);
  }

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
    seen = null;
    heads.clear();
  }

  return {
    watch(onCommit) {
      if (closed) throw new EngineError('internal', 'The store is closed.');
      const listener: Listener = (space) => onCommit(space);
      if (timer === null) {
        look();
        timer = setInterval(look, LOOK_EVERY_MS).unref();
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    tell(space, committed) {
      if (listeners.size === 0 || committed.outcome === 'conflict') return;
      // Apart from the commit: what a listener does wrong must not make it look failed.
      queueMicrotask(() => tellOf(space, committed.head));
    },
    close() {
      closed = true;
      listeners.clear();
      stop();
    },
  };
}
