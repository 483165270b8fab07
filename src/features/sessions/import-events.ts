import type { TakenImport } from '../../model/imported-parts.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import type { Client } from '../../verbs/client.ts';

const EVENTS_AT_ONCE = 500;

/** Each is recorded once, however often it is imported. */
export async function importEvents(
  client: Pick<Client, 'recordEvents'>,
  events: readonly SessionEvent[],
  { isDryRun }: { isDryRun: boolean },
): Promise<TakenImport> {
  const outcome: TakenImport = { taken: 0, unchanged: 0, refused: [], leftOut: [] };
  if (isDryRun) return { ...outcome, taken: events.length };
  for (let at = 0; at < events.length; at += EVENTS_AT_ONCE) {
    const { recorded, repeated } = await client.recordEvents({ events: events.slice(at, at + EVENTS_AT_ONCE) });
    outcome.taken += recorded;
    outcome.unchanged += repeated;
  }
  return outcome;
}
