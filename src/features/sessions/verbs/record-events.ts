import { EngineError } from '../../../model/errors.ts';
import type { SessionEvent } from '../../../model/session-event.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { RecordedEvents } from '../record-events.ts';

const MAX_EVENTS = 1000;

/** Events come as a list of whatever was written down: each is judged by itself, and one that is not sound holds up no other. */
export const recordEvents = defineVerb<{ events: readonly SessionEvent[] }, RecordedEvents>({
  needs: 'write',
  input: {
    events: { type: 'any', isRequired: true, about: `A list of up to ${MAX_EVENTS} events of agents' sessions.` },
  },
  async run({ engine, caller }, { events }) {
    if (!Array.isArray(events) || events.length > MAX_EVENTS)
      throw new EngineError('invalid_input', `"events" must be a list of at most ${MAX_EVENTS} events.`, {
        details: { field: 'events' },
      });
    return engine.recordEvents(caller, events);
  },
  rest: {
    at: 'POST /session-events',
    summary: 'Record what happened in sessions of agents',
    example: {
      body: {
        events: [
          {
            key: 's1:prompt:1',
            event: 'prompt',
            at: 1_790_000_000_000,
            agent: 'claude-code',
            session: 's1',
            project: 'web',
            directory: '/home/me/web',
            text: 'Fix the flaky login test',
          },
        ],
      },
    },
    answers: { 200: 'Each event is recorded once, however often it is sent.' },
  },
});
