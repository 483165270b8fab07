import type { EngineSettings } from '../../../engine/engine-settings.ts';
import type { KindTable, Note } from '../../../engine/records/kind.ts';
import { withSubtypes } from '../../../model/memory-types.ts';
import type { StoredRecord } from '../../../model/record.ts';
import type { Hit } from '../../../model/search.ts';
import { tokenize } from '../../../search/text/tokenize.ts';
import { splitAsked } from '../digest-session.ts';
import { toSession } from '../observation.ts';
import { type ContextLine, makeLine } from './context-line.ts';

/** Types of memories that hold in every session: how the person wants things done. */
export const STANDING_TYPES: readonly string[] = ['preference', 'instruction', 'best_practice', 'constraint'];
/** Longer contents are shown by the part that was found. */
const WHOLE_CHARS = 240;

interface Found {
  record: StoredRecord;
  hit: Hit;
  /** What was asked, as the index knows words. */
  topic: readonly string[];
  /** By the agent's own ids. */
  sessions: ReadonlyMap<string, StoredRecord>;
}

/** Of a session so many lines; the rest of it can be looked up. */
const OF_SESSION = 2;

/**
 * What a hit says: of what has several things to say, those that share most with what was asked. What was asked or merely looked at in a session in which work
 * was done is told by what came of it.
 */
export function makeFoundLines(
  { kinds, settings }: { kinds: KindTable; settings: EngineSettings },
  { record, hit, topic, sessions }: Found,
): ContextLine[] {
  const why = describeWhy(hit);
  const session = sessions.get(record.session ?? '');
  const own = record.kind === session?.kind ? session : null;
  if (session !== undefined && (own !== null || isToldBySession(record, session))) {
    const notes = rankNotes(kinds.need(session.kind).listNotes?.(session) ?? [], topic);
    if (notes.length > 0)
      return notes
        .slice(0, OF_SESSION)
        .map((note) => makeLine(session, note, { why, says: [note.text, ...splitAsked(note.text)] }));
  }
  const notes = kinds
    .find(record.kind)
    ?.listNotes?.(record)
    ?.filter(({ text }) => !isQuestion(record, text));
  if (notes !== undefined)
    return rankNotes(notes, topic)
      .slice(0, 1)
      .map((note) => makeLine(record, note, { why }));
  const isA = (...bases: readonly string[]): boolean => withSubtypes(settings.memoryTypes, bases).includes(record.type);
  const about = isA(...STANDING_TYPES) ? 'rule' : isA('decision') ? 'decided' : isA('error') ? 'failed' : 'other';
  const text = record.content.length <= WHOLE_CHARS ? record.content : hit.snippet;
  return [makeLine(record, { about, text }, { why })];
}

function isToldBySession({ body }: StoredRecord, session: StoredRecord): boolean {
  return (body.event === 'prompt' || body.act === 'look') && toSession(session).counts.tools > 0;
}

/** What somebody asked is no answer to anybody. */
function isQuestion({ body }: StoredRecord, text: string): boolean {
  return body.event === 'prompt' && /[?？]["')\]]*$/.test(text);
}

function describeWhy({ why, confidence }: Hit): string {
  const matched = why.matched.join(', ') || 'found';
  return matched === 'filter' ? 'the latest of its type' : `${matched} (${Math.round(confidence * 100)} %)`;
}

/** Those that share most with what was asked first, otherwise as they stand. */
function rankNotes(notes: readonly Note[], topic: readonly string[]): Note[] {
  const wanted = new Set(topic);
  const shared = ({ text }: Note): number => new Set(tokenize(text).filter((term) => wanted.has(term))).size;
  return notes
    .map((note) => ({ note, score: shared(note) }))
    .sort((a, b) => b.score - a.score)
    .map(({ note }) => note);
}
