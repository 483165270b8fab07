import type { Change, CommitConflict, Committed } from '../../model/change.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import { applyChange, type ChangeAppliers, type CommitRequest } from '../apply-change.ts';
import { applyDelete, applyPurge, applyRestore } from './change-lifecycle.ts';
import { applyImport, applyPut } from './change-put.ts';
import { applyReceipt } from './change-receipts.ts';
import { applyRelate, applyUnrelate } from './change-relations.ts';
import { applyEmbed } from './change-vectors.ts';
import type { Connection } from './connection.ts';
import { readHead, writeHead } from './feed.ts';
import type { Verdict } from './writer-queue.ts';

/** One commit while it is being applied. */
export interface CommitWork {
  readonly connection: Connection;
  readonly space: SpaceId;
  readonly actor: string;
  readonly now: Instant;
  /** The feed's last number, counted up with each entry. */
  seq: Sequence;
  /** Which change is being applied. */
  index: number;
  readonly revisions: Record<RecordId, number>;
}

const APPLIERS: ChangeAppliers<CommitWork, CommitConflict | null> = {
  put: applyPut,
  delete: applyDelete,
  restore: applyRestore,
  purge: applyPurge,
  import: applyImport,
  relate: applyRelate,
  unrelate: applyUnrelate,
  embed: applyEmbed,
  receipt: applyReceipt,
};

/** Runs inside a write transaction, which keeps all of it or nothing. */
export function applyCommit(connection: Connection, request: CommitRequest): Verdict<Committed> {
  const { space, changes, actor, now } = request;
  connection.statement('INSERT INTO spaces (id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING').run(space, now);
  const head = readHead(connection, space);
  const work: CommitWork = { connection, space, actor, now, seq: head, index: 0, revisions: {} };
  for (const [index, change] of changes.entries()) {
    work.index = index;
    const conflict = applyChange(APPLIERS, work, change);
    if (conflict !== null) return { keep: false, value: { outcome: 'conflict', conflict } };
  }
  if (work.seq !== head) writeHead(connection, space, work.seq);
  return { keep: true, value: { outcome: 'committed', head: work.seq, revisions: work.revisions } };
}

/** About how many rows a commit writes, for the bound on one transaction. */
export function weighCommit(changes: readonly Change[]): number {
  let weight = 0;
  for (const change of changes) {
    weight += 1;
    if ('passages' in change) weight += change.passages.length;
    if ('vectors' in change) weight += change.vectors.length;
    if ('versions' in change) weight += change.versions.length;
  }
  return weight;
}
