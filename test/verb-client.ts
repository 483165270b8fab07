import type { Engine } from '../src/engine/engine.ts';
import { VERBS } from '../src/features/verb-table.ts';
import { createClient, runVerb } from '../src/verbs/client.ts';
import { makeCaller } from './open-test-engine.ts';

/** The verbs as functions, for the owner at a terminal. */
export function clientOf(engine: Engine) {
  const caller = makeCaller('cli');
  return createClient(VERBS, (verb, input) =>
    runVerb(verb, { engine, caller, now: Date.now(), timeZone: 'UTC' } as never, input),
  );
}
