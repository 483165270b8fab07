import { createHmac } from 'node:crypto';
import { foldInSteps } from '../../model/fold-claim.ts';
import type { RecordId } from '../../model/ids.ts';
import type { RecordContent, RecordKind } from '../../model/record.ts';
import type { RejectedHow } from '../../model/rejection.ts';
import type { Pace } from '../../model/turn.ts';
import type { KindTable } from '../records/kind.ts';

/** What a record states as a whole; null where its kind states nothing that could be rejected. */
export function claimOf(kinds: KindTable, content: RecordContent): string | null {
  return kinds.find(content.kind)?.claim?.(content) ?? null;
}

/** The form that all spellings of a text share; others get their turn while a long one is folded. */
export async function foldInTurns(text: string, pace: Pace): Promise<string> {
  const steps = foldInSteps(text);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    await pace();
  }
}

/** `from`: as said by that source alone. */
export function hashFolded(key: Buffer, folded: string, from: string | null): string {
  return createHmac('sha256', key)
    .update(from === null ? folded : `${folded}\0${from}`)
    .digest('hex');
}

const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const HINT_BITS = 0xffff;

/**
 * Sixteen bits under the key, the same for all spellings of a text: whoever stores something that nobody has rejected pays for one look at its letters. Of plain text
 * the letters and digits that folding leaves alone are those of the text itself.
 */
export function hintOfFolded(key: Buffer, folded: string): number {
  return hintOfPlain(key, folded, true)!;
}

/** Null where the letters of the text are not those of what it is folded to. */
export function hintOfPlain(key: Buffer, text: string, isFolded = false): number | null {
  let hint = SEED ^ key.readInt32LE(0);
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code > 0x7e) {
      if (!isFolded) return null;
      continue;
    }
    if (code === HASH_SIGN && !isFolded) return null;
    if (code >= 0x41 && code <= 0x5a) code += 0x20;
    const isKept =
      (code >= 0x61 && code <= 0x7a && code !== 0x69 && code !== 0x6c && code !== 0x6f) ||
      (code >= 0x32 && code <= 0x39);
    if (isKept) hint = Math.imul(hint ^ code, PRIME);
  }
  return (hint ^ (hint >>> 16)) & HINT_BITS;
}

/** A prompt may say `#remember`, which is no part of what it states. */
const HASH_SIGN = 0x23;

/** Where a program read it: what is deleted is not taken from there again. */
export function sourceOf(content: RecordContent): string | null {
  const { kind, session, source, body } = content;
  const metadata = body.metadata as Readonly<Record<string, unknown>> | undefined;
  if (kind === 'section' && typeof metadata?.document === 'string') return `document:${metadata.document}`;
  const said = typeof metadata?.session_id === 'string' ? metadata.session_id : session;
  if (said !== null) return `session:${said}`;
  return source.door === 'import' ? `import:${source.claimed?.client ?? source.client ?? ''}` : null;
}

const READ_OUT = ['harvest:', 'remember:'];

/** Whether a program read it out of its source, rather than that somebody stored it. */
export function isReadOut({ kind, key, source }: RecordContent): boolean {
  return kind === 'section' || READ_OUT.some((prefix) => key?.startsWith(prefix)) || source.door === 'import';
}

/** A text that is not to come back. */
export interface Rejecting {
  text: string;
  how: RejectedHow;
  why: string | null;
  from: string | null;
  project: string | null;
  record: RecordId | null;
  kind: RecordKind;
}

/** How it is said of a record. */
export interface SaidOf {
  how: RejectedHow;
  why?: string | null;
}

/** Of what a record states; none where it states nothing, or it is merely not needed and has no source that could say it again. */
export function rejectionOf(
  { kinds }: { kinds: KindTable },
  record: RecordContent & { id: RecordId },
  { how, why = null }: SaidOf,
): Rejecting[] {
  const text = claimOf(kinds, record);
  const from = how === 'not_needed' ? sourceOf(record) : null;
  if (text === null || (how === 'not_needed' && from === null)) return [];
  return [{ text, how, why, from, project: record.project, record: record.id, kind: record.kind }];
}
