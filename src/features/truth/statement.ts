/** One thing that a text states: of what, how, and which. Only what holds until further notice counts; what happened once contradicts nothing. */
export interface Statement {
  /** The sentence as it stands. */
  text: string;
  language: string;
  /** Who or what: the words before the verb, in their order. */
  subject: string;
  verb: string;
  /** The words after it. */
  object: Word[];
  isNegated: boolean;
}

export interface Word {
  /** As it is compared. */
  term: string;
  kind: 'number' | 'version' | 'time' | 'day' | 'name' | 'word';
}

/** Whoever writes or reads; also of what is told to nobody in particular. */
export const US = 'we';

/** What a language's word for a value looks like anywhere: a number, a version, a time; null: another word. */
export function readValue(plain: string): Word | null {
  if (/^\d{1,2}:\d\d(?:am|pm)?$|^\d{1,2}(?:am|pm)$/.test(plain)) return { term: plain, kind: 'time' };
  if (/^v?\d+(?:\.\d+){1,3}$/.test(plain)) return { term: plain.replace(/^v/, ''), kind: 'version' };
  if (/^[$€£]?\d[\d,._]*(?:%|€|ms|s|m|h|d|k|kb|mb|gb|tb)?$/.test(plain))
    return { term: plain.replace(/[,_]/g, ''), kind: 'number' };
  return null;
}
