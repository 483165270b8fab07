import type { Json } from '../model/json.ts';
import type { Redaction } from '../model/redaction.ts';
import { type Replaced, replaceSecrets } from './replace-secrets.ts';

export interface Redacted<T> {
  value: T;
  redactions: Redaction[];
}

/** Of the texts that are remembered, in characters; beyond it the memory starts afresh. */
const MOST_CHARS = 1 << 20;

/**
 * What was looked at on one way through this process: a text in which the rules found nothing at all is not looked at again. Only a look puts a text in here, and
 * nothing of it can be written down or sent, so whoever holds one cannot claim more than was seen. A text that differs in one character is another text, and one
 * that held a secret is looked at each time.
 */
export class ScreenedTexts {
  readonly #clean = new Set<string>();
  #chars = 0;

  /** What the function of this name says. */
  replaceSecrets(text: string): Replaced {
    if (this.#clean.has(text)) return { text, findings: [] };
    const replaced = replaceSecrets(text);
    if (replaced.findings.length === 0) this.#remember(text);
    return replaced;
  }

  #remember(text: string): void {
    if (text.length > MOST_CHARS) return;
    if (this.#chars + text.length > MOST_CHARS) {
      this.#clean.clear();
      this.#chars = 0;
    }
    this.#clean.add(text);
    this.#chars += text.length;
  }
}

interface Place {
  /** As it is told: `metadata.env[0]`. */
  field: string;
  /** The name nearest to it, as a value called `password` is one; '' for what stands alone. */
  name: string;
}

/**
 * A value with the secrets in all its texts replaced, names of fields included. A text that stands at the same place in `before` is
 * left alone: it was looked at when it was written. `screened`: what was looked at on the way here.
 */
export function redactTexts<T extends Json>(
  value: T,
  field: string,
  before?: Json,
  screened = new ScreenedTexts(),
): Redacted<T> {
  const redactions: Redaction[] = [];
  const redacted = redact(value, { field, name: '' }, { before, redactions, screened });
  return { value: redacted as T, redactions };
}

interface Work {
  before: Json | undefined;
  redactions: Redaction[];
  screened: ScreenedTexts;
}

function redact(value: Json, place: Place, work: Work): Json {
  const { before } = work;
  if (typeof value === 'string') return value === before ? value : redactText(value, place, work);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const known = Array.isArray(before) ? before : [];
    return value.map((item, i) =>
      redact(item, { ...place, field: `${place.field}[${i}]` }, { ...work, before: known[i] }),
    );
  }
  const known = typeof before === 'object' && before !== null && !Array.isArray(before) ? before : {};
  const entries: [string, Json][] = [];
  const taken = new Set<string>();
  for (const [key, item] of Object.entries(value)) {
    const isKnown = Object.hasOwn(known, key);
    const name = isKnown
      ? key
      : redactText(
          key,
          { field: `the name of a field${place.field === '' ? '' : ` in ${place.field}`}`, name: '' },
          work,
        );
    entries.push([
      unusedName(name, taken),
      redact(
        item,
        { field: joinNames(place.field, name), name: key },
        { ...work, before: isKnown ? known[key] : undefined },
      ),
    ]);
  }
  return Object.fromEntries(entries);
}

function joinNames(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

/** Two secrets of one kind make the same marker; what is stored under them must not meet. */
function unusedName(name: string, taken: Set<string>): string {
  let unused = name;
  for (let i = 2; taken.has(unused); i++) unused = `${name} ${i}`;
  taken.add(unused);
  return unused;
}

function redactText(text: string, { field, name }: Place, work: Work): string {
  const { text: replaced, findings } = work.screened.replaceSecrets(text);
  let counted = 0;
  let line = 1;
  for (const { kind, mode, start } of findings) {
    if (mode === 'block') continue;
    for (; counted < start; counted++) if (text.charCodeAt(counted) === 10) line++;
    work.redactions.push({ field, kind, line, replaced: mode === 'redact' });
  }
  return name === '' ? replaced : redactNamed(replaced, { field, name }, work);
}

const MARKERS = /\[redacted:[\w-]+\]/g;
/** Longer ones are texts rather than passwords. */
const LONGEST_NAMED = 512;

/** What only its name gives away is looked at as `{"name":"value"}`, without what was replaced in it before. */
function redactNamed(text: string, { field, name }: Place, { redactions, screened }: Work): string {
  const rest = text.replaceAll(MARKERS, '');
  if (text.length > LONGEST_NAMED || rest === '') return text;
  const { text: replaced, findings } = screened.replaceSecrets(JSON.stringify({ [name]: rest }));
  const named = findings.filter(({ mode, start }) => mode === 'redact' && start > name.length);
  if (named.length === 0) return text;
  for (const { kind } of named) redactions.push({ field, kind, line: 1, replaced: true });
  return Object.values(JSON.parse(replaced) as Record<string, string>)[0]!;
}
