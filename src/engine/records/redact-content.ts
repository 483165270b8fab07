import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { RecordContent } from '../../model/record.ts';
import type { Redaction } from '../../model/redaction.ts';
import type { Redacted, ScreenedTexts } from '../../privacy/redact-texts.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { isPerson } from '../authorize.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { Kind, KindTable } from './kind.ts';
import { findTextBreak } from './split-passages.ts';

/** Takes secrets out of what is about to be stored. Whatever writes a record asks here first, before the hash, the passages and the vectors are made. */
export interface Redactor {
  /** With the hash made anew. What stands in `before` at the same place is left as it is. */
  content<C extends RecordContent>(content: C, before?: RecordContent): { content: C; redactions: Redaction[] };
  /** Looks through a long text before it is asked about it, a window at a time, so that others get their turn. */
  readAhead(text: string): Promise<void>;
  /** What is beside the record, such as the reason for a change, or loses its form on the way into it, as tags do. */
  value<T extends Json>(field: string, value: T): { value: T; redactions: Redaction[] };
  /** For what comes in pieces that a reader has cut; null where nothing is replaced. */
  findKeys(): Promise<KeyFinder | null>;
}

export type KeyFinder = typeof import('../../privacy/cut-keys.ts');

/**
 * `keepSecrets`: a person wants them stored as they are; agents may not say so. `screened`: what was looked at in this process on the way here; without it
 * everything is looked at.
 */
export async function openRedactor(
  { settings, kinds }: { settings: EngineSettings; kinds: KindTable },
  caller: Caller,
  keepSecrets = false,
  screened?: ScreenedTexts,
): Promise<Redactor> {
  if (keepSecrets && !isPerson(caller))
    throw new EngineError('forbidden', 'Only a person may have a secret stored.', {
      hint: 'Leave no_redact out: the secret is replaced, and the rest is stored.',
    });
  if (settings.redact === 'off') return UNTOUCHED;
  return createRedactor(kinds, keepSecrets ? 'keep' : settings.redact, screened);
}

/**
 * `keep`: nothing is replaced, and the record says that this was wanted. `scrub`: like replace, for what is stored already: a key that is a
 * secret goes, where a new record with such a key is refused.
 */
type Way = 'replace' | 'report' | 'keep' | 'scrub';

const UNTOUCHED: Redactor = {
  content: (content) => ({ content, redactions: [] }),
  value: (_field, value) => ({ value, redactions: [] }),
  readAhead: async () => {},
  findKeys: async () => null,
};

type RedactTexts = <T extends Json>(value: T, field: string, before?: Json) => Redacted<T>;

/** Loaded when it is first needed; asking for a module again takes as long as looking through a page. */
let loaded: typeof import('../../privacy/redact-texts.ts') | null = null;

export async function createRedactor(kinds: KindTable, way: Way, given?: ScreenedTexts): Promise<Redactor> {
  loaded ??= await import('../../privacy/redact-texts.ts');
  const screen = loaded.redactTexts;
  const screened = given ?? new loaded.ScreenedTexts();
  const ahead = new Map<string, Redacted<string>>();
  const redactTexts: RedactTexts = (value, field, before) => {
    const known = typeof value === 'string' && value !== before ? ahead.get(value) : undefined;
    if (known === undefined) return screen(value, field, before, screened);
    return { value: known.value as typeof value, redactions: known.redactions.map((one) => ({ ...one, field })) };
  };
  const keeps = way === 'keep' || way === 'report';
  return {
    content(content, before) {
      const { fields, redactions } = redactFields(redactTexts, content, { before, kind: kinds.find(content.kind) });
      const hasSecrets = redactions.some(({ replaced }) => replaced);
      if (keeps) {
        const source = way === 'keep' && hasSecrets ? { ...content.source, unredacted: true as const } : content.source;
        return { content: { ...content, source }, redactions: asKept(redactions) };
      }
      if (!hasSecrets) return { content, redactions };
      if (way !== 'scrub') refuseKey(redactions);
      const redacted = { ...content, ...fields };
      return { content: { ...redacted, ...kinds.need(content.kind).derive(redacted) }, redactions };
    },
    async readAhead(text) {
      if (text.length <= WINDOW_CHARS || ahead.has(text)) return;
      if (ahead.size >= MOST_AHEAD) ahead.delete(ahead.keys().next().value!);
      ahead.set(text, await redactInTurns(screen, text));
    },
    findKeys: async () => (keeps ? null : await loadKeyFinder()),
    value(field, value) {
      const redacted = redactTexts(value, field);
      return keeps ? { value, redactions: asKept(redacted.redactions) } : redacted;
    },
  };
}

/** Few texts are that long, and memories are stored one by one: what looks for keys is loaded for these alone. */
function loadKeyFinder(): Promise<KeyFinder> {
  return import('../../privacy/cut-keys.ts');
}

/** Long texts that are kept with what became of them; a page of an exchange has hundreds. */
const MOST_AHEAD = 16;
const WINDOW_CHARS = 40_000;
/** Between two places where a window may end. */
const STEP_CHARS = 480;

async function redactInTurns(redactTexts: RedactTexts, text: string): Promise<Redacted<string>> {
  const pace = createPacer();
  const redactions: Redaction[] = [];
  let value = '';
  let line = 0;
  for (const window of windowsOf(text, await loadKeyFinder())) {
    await pace();
    const redacted = redactTexts(window, '');
    value += redacted.value;
    for (const one of redacted.redactions) {
      const last = redactions.at(-1);
      const found = { ...one, line: one.line + line };
      const isSaid = last?.line === found.line && last.kind === found.kind && last.replaced === found.replaced;
      if (!isSaid) redactions.push(found);
    }
    line += countLines(window);
  }
  return { value, redactions };
}

/** Together the text, to the last character; each ends at a border of the text where no private key goes on. */
export function* windowsOf(text: string, finder: KeyFinder): Generator<string> {
  let at = 0;
  while (at < text.length) {
    const end = endOfWindow(text, at, finder);
    yield text.slice(at, end);
    at = end;
  }
}

/** Of what looks like a key over two windows none is one: it ends where any window would. */
function endOfWindow(text: string, at: number, { mayPartKey }: KeyFinder): number {
  const usual = findTextBreak(text, at, WINDOW_CHARS);
  const isBorder = (end: number): boolean =>
    end >= text.length ||
    !mayPartKey(text.slice(Math.max(at, end - STEP_CHARS), end), text.slice(end, end + STEP_CHARS));
  for (let end = usual; end - at > WINDOW_CHARS / 4; end = findTextBreak(text, at, end - at - STEP_CHARS))
    if (isBorder(end)) return end;
  for (let end = usual; end - usual < WINDOW_CHARS; end = findTextBreak(text, end, STEP_CHARS))
    if (isBorder(end)) return end;
  return usual;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function asKept(redactions: readonly Redaction[]): Redaction[] {
  return redactions.map((redaction) => ({ ...redaction, replaced: false }));
}

/** The texts of a record; `key` is one too, but cannot be replaced: two records would have the same. */
const TEXTS = [
  'title',
  'content',
  'type',
  'tags',
  'project',
  'workspace',
  'agent',
  'session',
  'conversation',
  'author',
] as const;

function redactFields(
  redactTexts: RedactTexts,
  content: RecordContent,
  { before, kind }: { before: RecordContent | undefined; kind: Kind | undefined },
) {
  const redactions: Redaction[] = [];
  const redact = (value: Json, field: string, known: Json | undefined): Json => {
    const redacted = redactTexts(value, field, known);
    redactions.push(...redacted.redactions);
    return redacted.value;
  };
  const fields: Record<string, unknown> = {};
  for (const name of TEXTS) fields[name] = redact(content[name] as Json, name, before?.[name] as Json | undefined);
  const kept = new Set(before?.tags);
  fields.tags = (fields.tags as string[]).map((tag) => (kept.has(tag) ? tag : redactFolded(tag, redact)));
  fields.key = redact(content.key, 'key', before?.key) === content.key ? content.key : null;
  const { door, userId, unredacted: _, ...said } = content.source;
  const known = before?.source as JsonObject | undefined;
  fields.source = { door, userId, ...(redact({ ...said } as JsonObject, 'source', known) as object) };
  fields.body = redact(content.body, '', before?.body);
  if (kind?.redactContent !== undefined) {
    const placed = { ...content, body: fields.body as JsonObject };
    Object.assign(
      fields,
      kind.redactContent(placed, (text) => redact(text, 'content', undefined) as string),
    );
  }
  return { fields: fields as Partial<RecordContent>, redactions };
}

const SHORTEST_KEY = 16;

/** Tags are in lower case, and most keys whose form tells what they are, in upper case. */
function redactFolded(tag: string, redact: (value: Json, field: string, known: undefined) => Json): string {
  if (tag.length < SHORTEST_KEY) return tag;
  const raised = tag.toUpperCase();
  const redacted = redact(raised, 'tags', undefined) as string;
  return redacted === raised ? tag : redacted.toLowerCase();
}

function refuseKey(redactions: readonly Redaction[]): void {
  const found = redactions.find(({ field, replaced }) => field === 'key' && replaced);
  if (found === undefined) return;
  throw new EngineError('invalid_input', `The key looks like a secret (${found.kind}) and cannot be stored.`, {
    hint: 'Give it a name that says what it is about.',
    details: { field: 'key', kind: found.kind },
  });
}
