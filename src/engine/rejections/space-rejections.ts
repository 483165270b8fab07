import type { Change } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import { foldInSteps } from '../../model/fold-claim.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Rejection } from '../../model/rejection.ts';
import { createPacer, type Pace } from '../../search/index/pacer.ts';
import { createFeedStates } from '../feed-states.ts';
import type { Feed, Records } from '../ports.ts';
import { hashFolded, hintOfFolded, hintOfPlain } from './claims.ts';
import { REJECTIONS, rejectionKind, toRejection } from './rejection-kind.ts';
import { listParts, type Statement, walkParts } from './statements.ts';

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
  /** How often it has changed since it was read. */
  changes: number;
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
        changes: 0,
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
  state.changes += 1;
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
  state.changes += 1;
  state.keys.delete(id);
  state.byClaim.delete(state.claims.get(id) ?? '');
  state.claims.delete(id);
}

type Known = Pick<SpaceRejections, 'keys' | 'byClaim' | 'hints' | 'spans'>;
type Judging = Generator<undefined, Rejection | null, undefined>;

/** Whether this is kept out: whoever says it, or where it is read out of a source, what that has said before. */
export function findRejection(state: Omit<Known, 'spans'>, text: string, from: string | null): Rejection | null {
  return toEnd(judgeText(state, text, from));
}

function* judgeText({ keys, byClaim, hints }: Omit<Known, 'spans'>, text: string, from: string | null): Judging {
  if (byClaim.size === 0) return null;
  let folded: string | null = null;
  for (const key of [...keys.values()]) {
    let hint = hintOfPlain(key, text);
    yield;
    if (hint === null) {
      folded ??= yield* foldInSteps(text);
      hint = hintOfFolded(key, folded);
      yield;
    }
    if (!hints.has(hint)) continue;
    folded ??= yield* foldInSteps(text);
    const found =
      byClaim.get(hashFolded(key, folded, null)) ??
      (from === null ? undefined : byClaim.get(hashFolded(key, folded, from)));
    if (found !== undefined) return found;
  }
  return null;
}

/** The same, and also where it is a statement of a longer text; what one source alone is not to say again counts as a whole. */
export function findStated(state: Known, text: string, from: string | null): Rejection | null {
  return toEnd(judgeStated(state, text, from));
}

function* judgeStated(state: Known, text: string, from: string | null): Judging {
  const found = yield* judgeText(state, text, from);
  if (found !== null || state.byClaim.size === 0) return found;
  let chars = 0;
  for (const part of walkParts(text, state.spans)) {
    const rejection = part === null ? null : findRejection(state, part.text, null);
    if (rejection !== null) return rejection;
    chars += part?.text.length ?? STRETCH_CHARS;
    if (chars < STRETCH_CHARS) continue;
    chars = 0;
    yield;
  }
  return null;
}

/** Parts of a text that are looked at in one go. */
const STRETCH_CHARS = 4_000;

interface Said {
  text: string;
  from: string | null;
  /** Default: also the statements of a longer text. */
  withParts?: boolean;
  /** As fresh as it gets. */
  state?: SpaceRejections;
  /** Of whoever has many to ask about. */
  pace?: Pace;
}

/** For texts of any length: others get their turn while it is looked at. What is rejected meanwhile counts as well. */
export async function findInTurns(
  rejections: Pick<AllRejections, 'fresh'>,
  space: SpaceId,
  { text, from, withParts = true, state: given, pace = createPacer() }: Said,
): Promise<Rejection | null> {
  const before = pace();
  await before;
  let state = given === undefined || before !== undefined ? await rejections.fresh(space) : given;
  for (;;) {
    const { changes } = state;
    const steps = withParts ? judgeStated(state, text, from) : judgeText(state, text, from);
    let hasWaited = false;
    let step = steps.next();
    while (step.done !== true) {
      const waiting = pace();
      if (waiting !== undefined) {
        hasWaited = true;
        await waiting;
      }
      step = steps.next();
    }
    if (!hasWaited) return step.value;
    const now = await rejections.fresh(space);
    if (now === state && now.changes === changes) return step.value;
    state = now;
  }
}

function toEnd<T>(steps: Generator<undefined, T, undefined>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
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
