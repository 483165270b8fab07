import type { Json } from '../model/json.ts';
import type { Redaction } from '../model/redaction.ts';
import { replaceSecrets } from './replace-secrets.ts';

export interface Redacted<T> {
  value: T;
  redactions: Redaction[];
}

interface Place {
  /** As it is told: `metadata.env[0]`. */
  field: string;
  /** The name nearest to it, as a value called `password` is one; '' for what stands alone. */
  name: string;
}

/**
 * A value with the secrets in all its texts replaced, names of fields included. A text that stands at the same place in `before` is
 * left alone: it was looked at when it was written.
 */
export function redactTexts<T extends Json>(value: T, field: string, before?: Json): Redacted<T> {
  const redactions: Redaction[] = [];
  const redacted = redact(value, { field, name: '' }, { before, redactions });
  return { value: redacted as T, redactions };
}

interface Work {
  before: Json | undefined;
  redactions: Redaction[];
}

function redact(value: Json, place: Place, { before, redactions }: Work): Json {
  if (typeof value === 'string') return value === before ? value : redactText(value, place, redactions);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const known = Array.isArray(before) ? before : [];
    return value.map((item, i) =>
      redact(item, { ...place, field: `${place.field}[${i}]` }, { before: known[i], redactions }),
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
          redactions,
        );
    entries.push([
      unusedName(name, taken),
      redact(
        item,
        { field: joinNames(place.field, name), name: key },
        { before: isKnown ? known[key] : undefined, redactions },
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

function redactText(text: string, { field, name }: Place, redactions: Redaction[]): string {
  const { text: replaced, findings } = replaceSecrets(text);
  let counted = 0;
  let line = 1;
  for (const { kind, mode, start } of findings) {
    if (mode === 'block') continue;
    for (; counted < start; counted++) if (text.charCodeAt(counted) === 10) line++;
    redactions.push({ field, kind, line, replaced: mode === 'redact' });
  }
  return name === '' ? replaced : redactNamed(replaced, { field, name }, redactions);
}

const MARKERS = /\[redacted:[\w-]+\]/g;
/** Longer ones are texts rather than passwords. */
const LONGEST_NAMED = 512;

/** What only its name gives away is looked at as `{"name":"value"}`, without what was replaced in it before. */
function redactNamed(text: string, { field, name }: Place, redactions: Redaction[]): string {
  const rest = text.replaceAll(MARKERS, '');
  if (text.length > LONGEST_NAMED || rest === '') return text;
  const { text: replaced, findings } = replaceSecrets(JSON.stringify({ [name]: rest }));
  const named = findings.filter(({ mode, start }) => mode === 'redact' && start > name.length);
  if (named.length === 0) return text;
  for (const { kind } of named) redactions.push({ field, kind, line: 1, replaced: true });
  return Object.values(JSON.parse(replaced) as Record<string, string>)[0]!;
}
