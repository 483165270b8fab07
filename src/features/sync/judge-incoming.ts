import { isAllowed, isPerson } from '../../engine/authorize.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import type { Caller } from '../../model/caller.ts';
import { defined } from '../../model/defined.ts';
import type { HeldRecord } from '../../model/held-record.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Incoming } from '../../model/plan-take.ts';
import { lowestTrust, type StoredRecord, type Trust } from '../../model/record.ts';
import { type Parts, type SharedState, TEXT } from '../../model/shared-state.ts';
import { originSchema } from '../transfer/export-lines.ts';

/** How far clocks of replicas may differ. */
const MAX_AHEAD_MS = 600_000;

export interface Judging {
  caller: Caller;
  kinds: KindTable;
  now: Instant;
  maxContentChars: number;
  /** This replica asked for it. */
  isPulled: boolean;
  peer: Peer;
}

/** What may be believed of what a peer says of trust, doors and authors: all of that is a claim. */
export interface Peer {
  /** The most that a text is believed which comes this way. */
  ceiling: Trust;
  /** Whose texts it may say the origin of: everybody's, those of its own person, or nobody's. */
  vouchesFor: 'all' | 'own' | 'none';
}

/**
 * Machines of one person are believed as that person is, and only in the person's own space; everybody else, a team's server too, as an agent that says where
 * things came from. What the peer says of itself decides nothing: `isOwn` can only take away.
 */
export function judgePeer(caller: Caller, pulled?: { isOwn: boolean }): Peer {
  const isOwn = caller.space === caller.userId && isPerson(caller) && pulled?.isOwn !== false;
  if (!isOwn) return { ceiling: 'agent', vouchesFor: 'none' };
  return { ceiling: 'user', vouchesFor: pulled === undefined ? 'own' : 'all' };
}

export type Judged = { line: Incoming } | { refused: string; code: RefusalCode };
/** forbidden: only an admin may bring it. */
export type RefusalCode = 'forbidden' | 'invalid_input';

const refuse = (refused: string, code: RefusalCode = 'invalid_input'): Judged => ({ refused, code });

/** What a peer may bring, as it is kept here: each replica judges whoever it speaks with, and copies are never believed more. */
export function judgeIncoming(line: Incoming, here: HeldRecord, judging: Judging): Judged {
  const { state } = line;
  if (line.buried > here.buried && !mayBury(here, judging))
    return refuse('purges are taken from admins only', 'forbidden');
  if (state === null) return { line: { ...line, versions: [] } };
  if (newestTime(state) > judging.now + MAX_AHEAD_MS)
    return refuse('it was written more than ten minutes ahead of this clock');
  const kind = state.fields.kind?.value;
  if (typeof kind !== 'string') return refuse('it says of no kind what it is');
  if (judging.kinds.find(kind)?.staysHere === true) return refuse(`records of the kind ${kind} are not exchanged`);
  const texts = judgeTexts(state.parts[TEXT] ?? {}, here, judging);
  if (texts === null) return refuse(`a text has no content, or more than ${judging.maxContentChars} characters`);
  const versions = line.versions.filter(({ record }) => record.id === line.id && record.dot !== null);
  const held = new Set<string | null>(here.versions.map(({ record }) => record.dot));
  return {
    line: {
      ...line,
      state: { ...state, parts: { ...state.parts, [TEXT]: texts } },
      versions: versions.map((version) => ({
        ...version,
        record: held.has(version.record.dot)
          ? version.record
          : { ...version.record, ...judgeOrigin(version.record, judging) },
      })),
    },
  };
}

/** A purge takes away for good what others wrote: one's own may go, and whatever an admin says. */
export function mayBury({ record }: HeldRecord, { caller, isPulled }: Judging): boolean {
  if (isPulled || isAllowed(caller, 'admin', caller.space) || record === null) return true;
  return record.source.userId === caller.userId;
}

function newestTime({ parts, fields }: SharedState): Instant {
  const times = Object.values(parts).flatMap((some) => Object.values(some).map(({ time }) => time));
  return Math.max(0, ...times, ...Object.values(fields).map(({ time }) => time));
}

/** A text that is here already was judged when it came; null where one cannot be kept. */
function judgeTexts(texts: Parts, here: HeldRecord, judging: Judging): Parts | null {
  const judged: Record<string, Parts[string]> = {};
  for (const [dot, part] of Object.entries(texts)) {
    const { content, gone } = part;
    if (gone === true) {
      judged[dot] = { time: part.time, gone };
      continue;
    }
    if (typeof content !== 'string' || content.length > judging.maxContentChars || !isStorable(content)) return null;
    const { source, trust } = judgeOrigin(part, judging);
    judged[dot] = {
      ...part,
      source: source as unknown as JsonObject,
      trust,
      title: readTitle(part.title),
      body: readBody(part.body),
    };
  }
  return Object.keys(judged).length === 0 && here.record === null ? null : judged;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function readTitle(title: unknown): string | null {
  return typeof title === 'string' && isStorable(title) ? title : null;
}

function readBody(body: unknown): JsonObject {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as JsonObject) : {};
}

/** Whoever brings a text that they cannot vouch for is named as its origin; what they say of it stands beside that. */
function judgeOrigin(said: unknown, { caller, peer, now }: Judging): Pick<StoredRecord, 'source' | 'trust'> {
  const read = originSchema.safeParse(said).data;
  const { userId, client, host } = caller;
  if (read === undefined)
    return { source: defined({ door: 'rest', userId, client, host, at: now }), trust: 'untrusted' };
  const { source, trust } = read;
  const believed = lowestTrust(trust, peer.ceiling);
  if (peer.vouchesFor === 'all' || (peer.vouchesFor === 'own' && source.userId === userId))
    return { source, trust: believed };
  const { claimed, at: _, unredacted: __, ...way } = source;
  return {
    source: defined({
      ...({ door: 'rest', userId, client, host, at: now } as const),
      claimed: claimed ?? { ...way, trust, createdAt: now },
    }),
    trust: believed,
  };
}
