/** Something in a text that looks like a secret: what and where, never the secret itself. */
export interface Redaction {
  /** `content`, `metadata.env.DB_URL`, `tags[2]` … */
  field: string;
  /** `aws-key`, `password` … */
  kind: string;
  /** Of the text as it was given, from 1. */
  line: number;
  /** False where it was left as it is: a guess, or nobody asked for more than a report. */
  replaced: boolean;
}

/** What is done about secrets before anything is stored. */
export const REDACT_MODES = ['replace', 'report', 'off'] as const;
export type RedactMode = (typeof REDACT_MODES)[number];

const MAX_NAMED = 5;

/** For people and agents, one sentence for what was replaced and one for what was kept. */
export function describeRedactions(redactions: readonly Redaction[]): string[] {
  const name = (replaced: boolean): string => {
    const some = redactions.filter((redaction) => redaction.replaced === replaced);
    const named = some.slice(0, MAX_NAMED).map(({ kind, field, line }) => `${kind} (${field}, line ${line})`);
    return [...named, ...(some.length > MAX_NAMED ? [`${some.length - MAX_NAMED} more`] : [])].join(', ');
  };
  const [replaced, kept] = [name(true), name(false)];
  return [
    ...(replaced === '' ? [] : [`Secrets were replaced before storing: ${replaced}.`]),
    ...(kept === '' ? [] : [`This looks like a secret and was kept: ${kept}.`]),
  ];
}

const MAX_TOLD = 200;

/** Of which an answer tells, one by one: a text may hold very many. Its warnings say how many there are. */
export function firstRedactions(redactions: readonly Redaction[]): Redaction[] {
  return redactions.slice(0, MAX_TOLD);
}

/** Of texts that were looked at twice, each finding once. */
export function joinRedactions(...lists: readonly (readonly Redaction[])[]): Redaction[] {
  const told = new Map(lists.flat().map((found) => [`${found.field}\n${found.line}\n${found.kind}`, found]));
  return [...told.values()];
}
