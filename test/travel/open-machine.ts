import type { TestContext } from 'node:test';
import { VERBS } from '../../src/features/verb-table.ts';
import type { Caller } from '../../src/model/caller.ts';
import type { Client } from '../../src/verbs/client.ts';
import { createClient, runVerb } from '../../src/verbs/client.ts';
import type { HostContext } from '../../src/verbs/verb.ts';
import { makeCaller, openTestEngine, type TestEngine } from '../open-test-engine.ts';

export const PERSON: Caller = { ...makeCaller('cli'), isPerson: true };
/** The same person over HTTP, with a credential of their own. */
export const FAR: Caller = { ...PERSON, door: 'rest' };

/** One of several databases that exchange what they hold. */
export interface Machine extends TestEngine {
  client(caller?: Caller): Client;
  write(content: string, over?: object): Promise<string>;
  read(id: string): Promise<{ content: string; trust: string; tags: readonly string[] } | undefined>;
}

export async function openMachine(
  context: TestContext,
  options: Parameters<typeof openTestEngine>[1] = {},
): Promise<Machine> {
  const opened = await openTestEngine(context, options);
  const { engine, clock } = opened;
  const client = (caller: Caller = PERSON): Client =>
    createClient(VERBS, (verb, input) =>
      runVerb(verb, { engine, caller, now: clock.now(), timeZone: 'UTC' } as HostContext, input),
    );
  return {
    ...opened,
    client,
    async write(content, over = {}) {
      const stored = await engine.storeMemory(PERSON, { content, ...over });
      if (!('memory' in stored)) throw new Error('It was not stored.');
      return stored.memory.id;
    },
    async read(id) {
      return (await engine.getMemories(PERSON, { refs: [id] })).memories[0];
    },
  };
}
