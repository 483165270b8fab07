import { ON_DUPLICATE } from '../../../model/memory-types.ts';
import { fromWire } from '../../../model/wire.ts';
import { describeWritten, unlessEmpty } from '../../../verbs/describe-memory.ts';
import { describeOrigin, noticesOfTrust, type Reader } from '../../../verbs/describe-origin.ts';
import { choice, type Fields, flag, text } from '../../../verbs/field.ts';
import { memoryFlags, NEW_MEMORY, readTimes, type TimeInput } from '../../../verbs/memory-input.ts';
import { type CallerHeader, defineVerb, type VerbContext } from '../../../verbs/verb.ts';
import type { StoredOutcome, StoreMemoryInput, StoreOutcome } from '../memory.ts';

/** Times may still be text. */
export type NewMemory = Omit<StoreMemoryInput, 'validFrom' | 'validUntil'> & {
  validFrom?: TimeInput;
  validUntil?: TimeInput;
};

const idempotencyKey = text('Repeating the request with the same key has no further effect.', {
  min: 1,
  max: 200,
  header: 'Idempotency-Key',
});
const WRITER: readonly CallerHeader[] = ['X-Agent-ID', 'X-Client-Hostname', 'X-Time-Zone'];
export const NO_REDACT = flag('Store what looks like a secret as it is. Persons only, with the scope admin.');
export const NEW_MEMORY_FIELDS: Fields = {
  ...NEW_MEMORY,
  no_redact: NO_REDACT,
  on_duplicate: choice(ON_DUPLICATE, 'What to do if there is a near duplicate.'),
};

export const storeMemory = defineVerb<NewMemory, StoredOutcome>({
  needs: 'write',
  input: NEW_MEMORY_FIELDS,
  inHeaders: { idempotency_key: idempotencyKey },
  run: async (context, input) => context.engine.storeMemory(context.caller, await withTimes(input, context)),
  rest: {
    at: 'POST /memories',
    summary: 'Store a memory',
    headers: WRITER,
    example: {
      body: { content: 'Deploys go out on Thursdays.', type: 'decision', tags: ['release'], project: 'shop' },
    },
    answers: {
      201: 'Stored.',
      200: 'Nothing new was stored: the text already existed, or was merged into another memory.',
      409: 'There is a near duplicate, and on_duplicate is refuse; or a person has rejected this text.',
    },
    statusOf: ({ outcome }) => (outcome === 'stored' ? 201 : 200),
    revisionOf: (out) => ('memory' in out ? out.memory.revision : undefined),
    locationOf: (out) => ('memory' in out ? `/memories/${out.memory.id}` : undefined),
    problem: {
      of: (out) =>
        out.outcome === 'refused'
          ? {
              code: 'duplicate',
              message: 'Not stored: there are near duplicates.',
              hint: 'Update one of the memories in `resembles`, or use another on_duplicate.',
              facts: { resembles: out.resembles },
            }
          : null,
      toOutcome: ({ code, resembles }) =>
        code === 'duplicate'
          ? ({
              outcome: 'refused',
              resembles: fromWire(resembles),
              warnings: [],
              redactions: [],
              searchableBy: 'text',
            } as StoredOutcome)
          : null,
    },
  },
  tool: {
    name: 'memory_store',
    title: 'Store memory',
    text: 'Save a fact, decision, preference, fix or lesson for later sessions. Exact duplicates are not stored twice; near ones are reported.',
    shown: {
      content: 'One idea, understandable on its own',
      type: 'e.g. decision, error, note',
      tags: '',
      project: '',
      metadata: '',
      key: 'Own name; the same key replaces',
      conversation_id: 'Skips the near-duplicate check',
      on_duplicate: '',
      valid_until: 'Date or phrase',
    },
    without: ['host', 'no_redact'],
    alwaysLoad: true,
    output: { outcome: 'string', id: 'string', content_hash: 'string', resembles: ['object'] },
    answer: (out, { context }) => describeOutcome(out, context),
    isError: ({ outcome }) => outcome === 'refused',
  },
  command: {
    name: 'store',
    summary: 'Store a memory',
    usage: '[TEXT | -]',
    about: 'Takes the text as an argument, or from stdin.',
    flags: [...memoryFlags(NEW_MEMORY_FIELDS), 'idempotency_key'],
    examples: [
      'ltm store "Staging runs on port 8443" --type decision --tags infra,staging',
      'git log -1 --format=%B | ltm store - --project web --type observation',
      'ltm store "Release on Fridays only" --key release-day -m owner=ops',
    ],
  },
});

const MAX_BATCH = 50;

export const storeMemories = defineVerb<
  { memories: readonly NewMemory[]; idempotencyKey?: string },
  { outcomes: StoreOutcome[] }
>({
  needs: 'write',
  input: { memories: { type: 'items', fields: NEW_MEMORY_FIELDS, min: 1, max: MAX_BATCH, isRequired: true } },
  inHeaders: { idempotency_key: idempotencyKey },
  async run(context, { memories, idempotencyKey: key }) {
    const inputs = await Promise.all(memories.map((memory) => withTimes(memory, context)));
    const keyed = key === undefined ? inputs : inputs.map((input, i) => ({ ...input, idempotencyKey: `${key}#${i}` }));
    return { outcomes: await context.engine.storeMemories(context.caller, keyed) };
  },
  rest: {
    at: 'POST /memories/batch',
    summary: 'Store several memories at once',
    headers: WRITER,
    example: {
      body: {
        memories: [
          { content: 'The staging database is restored every night.' },
          { content: 'Ada owns the billing service.', tags: ['people'] },
        ],
      },
    },
    answers: { 200: 'One outcome per memory, in order; what a person has rejected is left out and says so.' },
  },
});

function withTimes(input: NewMemory, context: VerbContext): Promise<StoreMemoryInput> {
  return readTimes(input, { validFrom: 'start', validUntil: 'end' }, context);
}

function describeOutcome(outcome: StoredOutcome, reader: Reader): Record<string, unknown> {
  const warnings = unlessEmpty(outcome.warnings);
  const near = 'resembles' in outcome ? outcome.resembles : [];
  const resembles = unlessEmpty(near.map((other) => ({ ...other, ...describeOrigin(other, reader) })));
  const notices = unlessEmpty(noticesOfTrust([...near, ...('memory' in outcome ? [outcome.memory] : [])]));
  const redactions = unlessEmpty(outcome.redactions);
  const message = explain(outcome);
  if (outcome.outcome === 'refused') {
    const hint = 'Update one of the memories listed, or store with on_duplicate: store.';
    const details = { id: outcome.resembles[0]?.id, similarity: outcome.resembles[0]?.similarity };
    const error = { code: 'duplicate', message, hint, details };
    return { message, outcome: 'refused', error, resembles, redactions, warnings, notices };
  }
  const isStored = outcome.outcome === 'stored';
  return {
    message,
    outcome: outcome.outcome,
    ...describeWritten(outcome.memory, reader),
    searchable_by: outcome.searchableBy,
    resembles,
    redactions,
    supersedes: isStored ? unlessEmpty(outcome.supersedes) : undefined,
    chunks: isStored ? unlessEmpty(outcome.chunks.map((chunk) => chunk.id)) : undefined,
    warnings,
    notices,
  };
}

function explain(outcome: StoredOutcome): string {
  switch (outcome.outcome) {
    case 'refused':
      return 'Not stored: it repeats the memories listed, and on_duplicate is refuse.';
    case 'duplicate':
      return `Not stored again: memory ${outcome.memory.id} holds this text already. Use memory_update to change it.`;
    case 'merged':
    case 'appended':
      return `Memory ${outcome.memory.id} has taken the new text in (${outcome.outcome}).`;
    case 'updated':
      return `The key was in use: memory ${outcome.memory.id} has the new content now; the old one stays as a version.`;
    case 'stored':
      return explainStored(outcome.memory.id, outcome.chunks.length, outcome.resembles.length);
  }
}

function explainStored(id: string, chunks: number, resembles: number): string {
  const stored = chunks > 1 ? `Stored as ${chunks} memories, ${id} first.` : `Stored as ${id}.`;
  if (resembles === 0) return stored;
  return `${stored} It resembles the memories listed: if it replaces one, delete that one; if it says the same, delete this one. on_duplicate: supersede or merge does so at once.`;
}
