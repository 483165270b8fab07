import type { Change } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Rejection } from '../../model/rejection.ts';
import { createFeedStates } from '../feed-states.ts';
import type { Feed, Records } from '../ports.ts';
import { hashClaim, hintOf } from './claims.ts';
import { REJECTIONS, rejectionKind, toRejection } from './rejection-kind.ts';
import { listParts, type Statement } from './statements.ts';

/** What is rejected in a space, by the hash of the text. */
export interface SpaceRejections {
  head: Sequence;
  /** A space has one for each replica that has ever rejected something in it. */
  readonly keys: Map<RecordId, Buffer>;
  readonly byClaim: Map<string, Rejection>;
  readonly claims: Map<RecordId, string>;
  /** Of those that have been here: a text without its hint among them is none of them. */
  readonly hints: Set<number>;
  /** Of how many statements those are that are kept out of longer texts too. */
  readonly spans: Set<number>;
}

export interface AllRejections {
  /** Must not be kept over anything that waits. */
  fresh(space: SpaceId): Promise<SpaceRejections>;
  /** A commit of this process: what it wrote need not be read from the feed. */
  noteCommitted(space: SpaceId, changes: readonly Change[], head: Sequence): void;
}

const PAGE = 500;
const MAX_BYTES = 64 * 1024 * 1024;
const BYTES_EACH = 500;

export function createAllRejections(store: Records & Feed): AllRejections {
  const { fresh, skip } = createFeedStates<SpaceRejections>(store, {
    async load(space, head) {
      const state: SpaceRejections = {
        head,
        keys: new Map(),
        byClaim: new Map(),
        claims: new Map(),
        hints: new Set(),
        spans: new Set(),
      };
      const filter = { session: REJECTIONS, kinds: [rejectionKind.name], includeSuperseded: true };
      for (let cursor: string | null = null; ; ) {
        const page = await store.listRecords(space, filter, { limit: PAGE, cursor, total: false }, passOver);
        for (const record of page.items) take(state, record);
        cursor = page.cursor;
        if (cursor === null) return state;
      }
    },
    async apply(space, state, entries) {
      const changed = [...new Set(entries.filter(({ kind }) => kind === rejectionKind.name).map(({ id }) => id))];
      const purged = entries.filter(({ op, id }) => op === 'purged' && (state.claims.has(id) || state.keys.has(id)));
      for (const id of [...changed, ...purged.map((entry) => entry.id)]) forget(state, id);
      if (changed.length === 0) return;
      for (const record of await store.getRecords(space, changed, passOver))
        if (record.deletedAt === null) take(state, record);
    },
    bytesOf: ({ claims }) => claims.size * BYTES_EACH,
    maxBytes: MAX_BYTES,
  });
  return {
    fresh,
    noteCommitted(space, changes, head) {
      const puts = changes.filter((change) => change.op === 'put' && change.content.kind !== rejectionKind.name);
      const silent = changes.filter(({ op }) => op === 'receipt' || op === 'number');
      if (puts.length + silent.length === changes.length) skip(space, head - puts.length, head);
    },
  };
}

function take(state: SpaceRejections, record: StoredRecord): void {
  const { id, body } = record;
  if (typeof body.key === 'string') state.keys.set(id, Buffer.from(body.key, 'base64'));
  const rejection = toRejection(record);
  if (rejection === null) return;
  state.byClaim.set(String(body.claim), rejection);
  state.claims.set(id, String(body.claim));
  state.hints.add(Number(body.hint));
  if (rejection.from === null) state.spans.add(Number(body.span ?? 1));
}

function forget(state: SpaceRejections, id: RecordId): void {
  state.keys.delete(id);
  state.byClaim.delete(state.claims.get(id) ?? '');
  state.claims.delete(id);
}

/** Whether this is kept out: whoever says it, or where it is read out of a source, what that has said before. */
export function findRejection(
  { keys, byClaim, hints }: Pick<SpaceRejections, 'keys' | 'byClaim' | 'hints'>,
  text: string,
  from: string | null,
): Rejection | null {
  if (byClaim.size === 0) return null;
  for (const key of keys.values()) {
    if (!hints.has(hintOf(key, text))) continue;
    const found =
      byClaim.get(hashClaim(key, text, null)) ?? (from === null ? undefined : byClaim.get(hashClaim(key, text, from)));
    if (found !== undefined) return found;
  }
  return null;
}

type Known = Pick<SpaceRejections, 'keys' | 'byClaim' | 'hints' | 'spans'>;

/** The same, and also where it is a statement of a longer text; what one source alone is not to say again counts as a whole. */
export function findStated(state: Known, text: string, from: string | null): Rejection | null {
  return findRejection(state, text, from) ?? findParts(state, text).next().value?.rejection ?? null;
}

/** What of a longer text is kept out. */
export function* findParts(
  state: Known,
  text: string,
): Generator<{ part: Statement; rejection: Rejection }, undefined> {
  if (state.byClaim.size === 0) return;
  for (const part of listParts(text, state.spans)) {
    const rejection = findRejection(state, part.text, null);
    if (rejection !== null) yield { part, rejection };
  }
}
