import { createHash } from 'node:crypto';
import { describeOutput } from '../../features/sessions/capture/describe-output.ts';
import { type CaptureRules, DENIED_OUTPUT, makeEvent } from '../../features/sessions/capture/make-event.ts';
import type { Payload } from '../../features/sessions/capture/read-payload.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { SessionEvent, SessionEventName } from '../../model/session-event.ts';
import { replaceCustom } from '../../privacy/custom-patterns.ts';
import { ScreenedTexts } from '../../privacy/redact-texts.ts';
import { removeSpans } from '../../privacy/remove-spans.ts';

const MAX_LABEL_CHARS = 160;
/** The same words of the same session within so long are the same event, delivered again. */
const AGAIN_MS = 10_000;
const MOST_REMEMBERED = 1000;

export interface ObserveRules extends CaptureRules {
  /** False: the operator wants no secrets replaced; private spans go all the same. */
  replacesSecrets: boolean;
}

/** What a client of the old system sends of one event. */
export interface Sent {
  event: SessionEventName;
  session: string;
  project: string | null;
  directory: string | null;
  agent: string;
  text?: string;
  tool?: { name: string; input: JsonObject; response: unknown };
  /** Which prompt of the session it belongs to, by the client's own count. */
  prompt?: number;
  /** An id of the client's own for the event, where it has one. */
  useId: string | null;
}

/** `screened`: what was looked at, so that it is not looked at again when it is recorded. */
export type Screened = { event: SessionEvent; isDenied: boolean; screened: ScreenedTexts } | { leftOut: string };

/**
 * The same screening as hooks have, for events that come over HTTP. One that came twice has the key it had. `elapsed` is a clock that nobody sets: by one that is set
 * back, what is said again an hour later would be taken for a repetition.
 */
export function createScreen(
  rules: ObserveRules,
  elapsed: () => number = () => performance.now(),
): (sent: Sent, now: Instant) => Screened {
  const firstSeen = createMemory(elapsed);
  return (sent, now) => {
    const { project, directory, agent, event: name, useId } = sent;
    const mark = createHash('sha256')
      .update(JSON.stringify([sent.session, name, sent.text, sent.tool, useId, sent.prompt]))
      .digest('hex');
    const payload: Payload = {
      agent: 'opencode',
      event: name,
      hook: name,
      session: sent.session.slice(0, MAX_LABEL_CHARS),
      // A path of the client's machine says nothing here.
      directory: null,
      text: sent.text ?? null,
      useId,
      marks: [`at=${firstSeen(mark, now)}`],
      tool: sent.tool === undefined ? null : { ...sent.tool, failed: false },
      transcript: null,
      reason: null,
      at: null,
    };
    const screened = new ScreenedTexts();
    const made = makeEvent(payload, rules, { variables: {}, now, screened });
    if (typeof made === 'string') return { leftOut: made };
    if (project !== null && isExcluded(project, rules)) return { leftOut: 'excluded-project' };
    const isDenied = made.tool?.output === DENIED_OUTPUT;
    const kept = rules.replacesSecrets || isDenied ? made : withSecrets(made, sent, rules);
    const labels = { agent, project: project?.slice(0, MAX_LABEL_CHARS) ?? null, directory };
    const counted = sent.prompt === undefined ? {} : { prompt: sent.prompt };
    return { event: { ...kept, ...labels, ...counted }, isDenied, screened };
  };
}

function isExcluded(project: string, { excludeProjects }: CaptureRules): boolean {
  return excludeProjects.some((one) => one.toLowerCase() === project.toLowerCase());
}

function createMemory(elapsed: () => number): (mark: string, now: Instant) => Instant {
  const seen = new Map<string, { at: Instant; since: number }>();
  return (mark, now) => {
    const since = elapsed();
    const known = seen.get(mark);
    if (known !== undefined && since - known.since < AGAIN_MS) return known.at;
    seen.delete(mark);
    seen.set(mark, { at: now, since });
    if (seen.size > MOST_REMEMBERED) seen.delete(seen.keys().next().value!);
    return now;
  };
}

/** As it was sent, but for what is private and what the operator's own patterns name. */
function withSecrets(made: SessionEvent, { text, tool }: Sent, { patterns }: CaptureRules): SessionEvent {
  const open = (one: string): string => replaceCustom(removeSpans(one).text, patterns).text;
  return {
    ...made,
    ...(text !== undefined && { text: open(text).trim() }),
    ...(tool !== undefined && {
      tool: {
        name: made.tool!.name,
        input: JSON.parse(JSON.stringify(tool.input), (_, value) =>
          typeof value === 'string' ? open(value) : value,
        ) as JsonObject,
        output: open(describeOutput(tool.response)),
      },
    }),
  };
}
