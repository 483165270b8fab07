import type { Note } from '../../../engine/records/kind.ts';
import type { RecordId } from '../../../model/ids.ts';
import { dayOf } from '../../../model/instant.ts';
import type { StoredRecord } from '../../../model/record.ts';
import { oneLine } from '../plain-output.ts';

/** A line that may come into the block. */
export interface ContextLine {
  id: RecordId;
  kind: string;
  about: Note['about'];
  /** On one line, short, without what could end the block. */
  text: string;
  /** The same without its day. */
  said: string;
  /** How it is looked up: the number of what has one, the id of anything else. */
  ref: string;
  why: string;
  /** What it repeats: it is given only while nobody has taken back one of these. */
  says: readonly string[];
  session: string | null;
  /** All that it was made from: what must not get out is looked for there. */
  source: string;
}

export const LABELS: Readonly<Record<Note['about'], string>> = {
  next: 'Next: ',
  rule: 'Rule: ',
  decided: 'Decided: ',
  open: 'Open: ',
  failed: 'Failed: ',
  other: '',
};
const LINE_CHARS = 200;

/** `says`: what the text is composed of, where it is of several. */
export function makeLine(
  record: StoredRecord,
  { about, text, isDated }: Note,
  { why, says = [text] }: { why: string; says?: readonly string[] },
): ContextLine {
  const { id, kind, body, session, createdAt } = record;
  const day = dayOf(createdAt);
  const said = withoutTags(oneLine(text, LINE_CHARS));
  return {
    id,
    kind,
    about,
    why,
    said,
    session,
    says: typeof body.text === 'string' ? [...says, body.text] : says,
    source: `${record.title ?? ''}\n${record.content}`,
    text: isDated === true ? `${day} ${said}` : said,
    ref: typeof body.number === 'number' ? `#${body.number}` : id,
  };
}

/** Nothing in a line opens or closes a tag: neither the block's own nor one that a model takes for its system's. */
function withoutTags(text: string): string {
  return text.replace(/<(?=[/!?|a-z])/gi, '‹').replace(/(?<=[a-z"'/|-])>/gi, '›');
}
