import { withSubtypes } from '../../../model/memory-types.ts';
import type { StoredRecord } from '../../../model/record.ts';
import type { Hit } from '../../../model/search.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { Note } from '../../records/kind.ts';
import { tokenize } from '../../search/text/tokenize.ts';
import { type ContextLine, makeLine } from './context-line.ts';

/** Types of memories that hold in every session: how the person wants things done. */
export const STANDING_TYPES: readonly string[] = ['preference', 'instruction', 'best_practice', 'constraint'];
/** Longer contents are shown by the part that was found. */
const WHOLE_CHARS = 240;

/** What a hit says in one line: of what has several to say, the one that shares most with what was asked. */
export function makeFoundLine(
  { kinds, settings }: EngineParts,
  { record, hit, topic }: { record: StoredRecord; hit: Hit; topic: readonly string[] },
): ContextLine {
  const notes = kinds.find(record.kind)?.listNotes?.(record);
  const isA = (...bases: readonly string[]): boolean => withSubtypes(settings.memoryTypes, bases).includes(record.type);
  const about = isA(...STANDING_TYPES) ? 'rule' : isA('decision') ? 'decided' : isA('error') ? 'failed' : 'other';
  const text = record.content.length <= WHOLE_CHARS ? record.content : hit.snippet;
  const note = notes === undefined ? ({ about, text } as const) : pickNearest(notes, topic);
  return makeLine(record, note, describeWhy(hit));
}

function describeWhy({ why, confidence }: Hit): string {
  const matched = why.matched.join(', ') || 'found';
  return matched === 'filter' ? 'the latest of its type' : `${matched} (${Math.round(confidence * 100)} %)`;
}

/** The first where none shares anything. */
function pickNearest(notes: readonly Note[], topic: readonly string[]): Note {
  const wanted = new Set(topic);
  let best: Note = notes[0] ?? { about: 'other', text: '' };
  let most = 0;
  for (const note of notes) {
    const shared = new Set(tokenize(note.text).filter((term) => wanted.has(term))).size;
    if (shared > most) [best, most] = [note, shared];
  }
  return best;
}
