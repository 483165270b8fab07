import { createHash } from 'node:crypto';
import type { Clock, Commits, Receipts } from '../../../engine/ports.ts';
import { actorOf } from '../../../engine/records/origin.ts';
import type { Caller } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import type { JsonObject } from '../../../model/json.ts';

/** What a session was given so far: marks of lines, and of the words of the prompts that got them. Nothing that was said can be read from it. */
export interface Given {
  marks: ReadonlySet<string>;
  topics: readonly (readonly string[])[];
  /** How often it was given something. */
  times: number;
}

/** No session is given something so often. */
const MOST_TIMES = 500;

export const NOTHING_GIVEN: Given = { marks: new Set(), topics: [], times: 0 };

/** The same line has the same mark, whichever record it comes from. */
export function markLine(text: string): string {
  return createHash('sha256').update(text.toLowerCase().replace(/\s+/g, ' ').trim()).digest('base64url').slice(0, 10);
}

/**
 * Kept as answers that are remembered, beside the records: they make no line in the feed, travel with the database, and are forgotten after a month
 * like all of them.
 */
export async function readGiven({ store }: { store: Receipts }, caller: Caller, session: string): Promise<Given> {
  const marks = new Set<string>();
  const topics: string[][] = [];
  let times = 0;
  for (; times < MOST_TIMES; times++) {
    const receipt = await store.findReceipt(caller.space, keyOf(caller, session, times));
    if (receipt === null) break;
    for (const mark of texts(receipt.answer.marks)) marks.add(mark);
    topics.push(texts(receipt.answer.topic));
  }
  return { marks, topics, times };
}

/** False: somebody else has given this session something in the meantime. */
export async function rememberGiven(
  { store, clock }: { store: Commits; clock: Clock },
  caller: Caller,
  { session, times, ...said }: { session: string; times: number; marks: string[]; topic: string[] },
): Promise<boolean> {
  const answer: JsonObject = said;
  const key = keyOf(caller, session, times);
  const committed = await store.commit(
    caller.space,
    [{ op: 'receipt', key, fingerprint: 'context', answer, at: clock.now() }],
    actorOf(caller),
  );
  if (committed.outcome === 'committed') return true;
  if (committed.conflict.reason === 'receipt') return false;
  throw new EngineError('busy', 'What a session was given could not be remembered.');
}

/** By a hash: nobody has looked at what an agent calls its session. */
function keyOf({ userId }: Caller, session: string, times: number): string {
  return `context:${userId}:${createHash('sha256').update(session).digest('base64url').slice(0, 22)}:${times}`;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
