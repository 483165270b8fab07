import { cleanName } from '../../model/hidden-characters.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import { removeSpans } from '../../privacy/remove-spans.ts';

/**
 * An event as it is taken in, whoever delivers it: without private spans and what was injected, which hooks have removed already. Outputs may hold
 * anything; what no database can keep is made visible instead of refused.
 */
export function openEvent(event: SessionEvent): SessionEvent {
  const found = new Set(event.screened ?? []);
  const opened = mapTexts(event, (text) => {
    const { text: kept, removed } = removeSpans(text.replaceAll('\0', '\u{fffd}').toWellFormed());
    for (const name of removed) found.add(name);
    return kept;
  });
  const { text, project, ...rest } = opened;
  return {
    ...rest,
    agent: cleanName(rest.agent),
    session: cleanName(rest.session),
    project: typeof project === 'string' ? cleanName(project) : null,
    ...(text !== undefined && text.trim() !== '' && { text }),
    key: event.key,
    ...(found.size > 0 && { screened: [...found] }),
  };
}

/** Keys of objects too. */
function mapTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change)) as T;
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, one]) => [change(key), mapTexts(one, change)]);
  return Object.fromEntries(entries) as T;
}
