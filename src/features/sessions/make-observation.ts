import type { Clock } from '../../engine/ports.ts';
import { originOf } from '../../engine/records/origin.ts';
import type { Redactor } from '../../engine/records/redact-content.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import type { Caller } from '../../model/caller.ts';
import { cutText } from '../../model/cut-text.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { lowestTrust, type RecordContent, type Trust } from '../../model/record.ts';
import type { SessionEvent, ToolUse } from '../../model/session-event.ts';
import { describeEvent } from './derive-observation.ts';
import type { Observation } from './observation.ts';
import { observationKind } from './observation-kind.ts';
import { isFromOutside } from './read-tool.ts';

const MAX_INPUT_CHARS = 4096;
const MAX_OUTPUT_CHARS = 8192;
const MAX_TEXT_CHARS = 8192;
const MAX_TITLE_CHARS = 80;

interface Drafting {
  event: SessionEvent;
  /** Of the same session, oldest first. */
  earlier: readonly Observation[];
  redactor: Redactor;
}

/** A start, an end and a turn without words say nothing but that the session goes on. */
export function saysSomething({ tool, text = '' }: SessionEvent): boolean {
  return tool !== undefined || text.trim() !== '';
}

/** Secrets are looked for in whole texts, before they are cut: half of one is not recognised. */
export function makeObservation(
  { clock }: { clock: Clock },
  caller: Caller,
  { event: given, earlier, redactor }: Drafting,
): RecordContent {
  const { event, found } = redactEvent(given, redactor);
  const now = clock.now();
  const { tool, text = '' } = event;
  const { title, summary, type, files, concepts, failed, ...outcome } = describeEvent(event, earlier);
  const prompt = event.prompt ?? (earlier.at(-1)?.prompt ?? 0) + (event.event === 'prompt' ? 1 : 0);
  const { source, trust } = originOf(caller, caller.host);
  const content = makeContent(observationKind, now, {
    type,
    title: cutText(title, MAX_TITLE_CHARS),
    createdAt: Math.min(event.at, now),
    agent: event.agent,
    session: event.session,
    project: event.project ?? null,
    source,
    trust: lowestTrust(trust, trustOfEvent(event)),
    body: {
      number: 0,
      event: event.event,
      summary,
      files,
      concepts,
      prompt,
      ...(tool !== undefined && describeTool(tool)),
      ...(text !== '' && { text: cutWithNote(text, MAX_TEXT_CHARS, TAIL_CHARS) }),
      ...withoutNulls(outcome),
      ...(failed && { failed: true }),
      ...(found.length > 0 && { screened: found }),
    },
  });
  return redactor.content(content).content;
}

function describeTool({ name, input, output, durationMs, server }: ToolUse): JsonObject {
  return {
    tool: name,
    input: cutWithNote(JSON.stringify(input), MAX_INPUT_CHARS),
    output: cutWithNote(output, MAX_OUTPUT_CHARS, TAIL_CHARS),
    ...(durationMs !== undefined && { durationMs }),
    ...(server !== undefined && { server }),
  };
}

const NOTE = /\.\.\.\[truncated \d{1,12} chars\]$/;

/** Of a long output or reply the end is kept too: there programs sum up, and agents say what comes next. */
const TAIL_CHARS = 3072;
const GAP = '\n[…]\n';

/** At most so many characters; a note that says how many are missing may follow where it was cut before it came here. */
function cutWithNote(text: string, maxChars: number, tailChars = 0): string {
  const [note = ''] = NOTE.exec(text) ?? [];
  if (text.length - note.length <= maxChars) return text;
  const room = maxChars - `...[truncated ${text.length} chars]`.length;
  const kept = cutText(text, tailChars === 0 ? room : room - tailChars - GAP.length);
  const end = tailChars === 0 ? '' : text.slice(-tailChars).replace(/^[\udc00-\udfff]/, '');
  return `${kept}${end === '' ? '' : GAP}${end}...[truncated ${text.length - kept.length - end.length} chars]`;
}

/** What came from outside is not the agent's word. */
function trustOfEvent({ tool }: SessionEvent): Trust {
  if (tool === undefined) return 'agent';
  return isFromOutside(tool) || /web|fetch|browser/i.test(tool.name) ? 'untrusted' : 'agent';
}

function withoutNulls(facts: Readonly<Record<string, string | null>>): JsonObject {
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== null));
}

function redactEvent(event: SessionEvent, redactor: Redactor): { event: SessionEvent; found: string[] } {
  const found = new Set(event.screened ?? []);
  const redact = <T extends Json>(field: string, value: T): T => {
    const redacted = redactor.value(field, value);
    for (const { kind, replaced } of redacted.redactions) if (replaced) found.add(kind);
    return redacted.value;
  };
  const { tool, text } = event;
  return {
    event: {
      ...event,
      ...(text !== undefined && { text: redact('text', text) }),
      ...(tool !== undefined && {
        tool: { ...tool, input: redact('input', tool.input), output: redact('output', tool.output) },
      }),
    },
    found: [...found],
  };
}
