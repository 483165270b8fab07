import type { Instant, Sequence } from '../../../model/ids.ts';
import type { JsonObject } from '../../../model/json.ts';
import { flag, integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Digest } from '../digest-space.ts';
import type { GreetInput, Greeting } from '../greet-replica.ts';
import type { Fork } from '../list-forks.ts';
import type { ListTravellingInput } from '../list-travelling.ts';
import type { TakenReport, TakeTravellingInput } from '../take-travelling.ts';

export const link = label('The name of the link, which the replica that calls has given it.', { isRequired: true });
const projects = { type: 'names', about: 'Only records of these projects.' } as const;

export const greetReplica = defineVerb<GreetInput, Greeting>({
  needs: 'read',
  writes: true,
  input: {
    link,
    ticket: integer(0, Number.MAX_SAFE_INTEGER, 'The last ticket that this link was given; 0 at first.'),
    format: integer(1, 1000, 'The format that the replica understands.'),
    is_kept: flag('At the end of an exchange: the ticket is kept.'),
    is_sealed: flag('The replica seals what it sends; the space must be sealed.'),
  },
  run: ({ engine, caller }, input) => engine.greetReplica(caller, input),
  rest: {
    at: 'POST /sync',
    summary: 'Begin an exchange between two replicas',
    example: { body: { link: '5f0c1d2e3a4b5c6d', ticket: 0, format: 1 } },
    answers: {
      200: 'Who this replica is, and the ticket to show the next time. `stale` says that a backup was put back: `yours`, then go on as a new replica with a new link; `ours`, then start over.',
    },
  },
});

export interface SpaceDigest extends Digest {
  epoch: string;
  head: Sequence;
  time: Instant;
}

export const digestRecords = defineVerb<{ projects?: readonly string[] }, SpaceDigest>({
  needs: 'read',
  input: { projects },
  run: ({ engine, caller }, input) => engine.digestSpace(caller, input.projects),
  rest: {
    at: 'GET /sync',
    summary: 'A digest of everything that replicas exchange: equal digests mean equal records',
    answers: { 200: 'The digest, and how far the change feed goes.' },
  },
});

/** The lines of a page, the last of which says where it ends. */
export const pullRecords = defineVerb<ListTravellingInput, AsyncIterable<string>>({
  needs: 'read',
  handed: ['isWhole'],
  input: {
    after: text('Where the last page ended; from the beginning if not given.', { min: 1, max: 200 }),
    epoch: label('The epoch that the place belongs to.'),
    link: label('The name of the link. What came by it is left out.'),
    projects,
  },
  async run({ engine, caller }, input) {
    const { lines, to, epoch, isLast } = await engine.listTravelling(caller, input);
    return oneByOne([...lines, JSON.stringify({ to, epoch, isLast })]);
  },
  rest: {
    at: 'GET /sync/changes',
    summary: 'A page of what this replica holds, or of what has changed since the last one',
    answers: {
      200: 'One line per record with all that replicas know of it, at most 500 or 1 MiB, and a line that says where the page ends (`to`), in which `epoch`, and whether it is the last.',
    },
    streams: 'out',
  },
});

export async function* oneByOne(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

export const pushRecords = defineVerb<TakeTravellingInput, TakenReport>({
  needs: 'write',
  handed: ['lines', 'pulled'],
  input: { link, dry_run: flag('Only report what would happen.') },
  run: ({ engine, caller }, input) => engine.takeTravelling(caller, input),
  rest: {
    at: 'POST /sync/changes',
    summary: 'Merge a page of another replica, as GET /sync/changes gave it',
    answers: { 200: 'How many records are another now than they were, and what was refused. May be repeated.' },
    streams: 'in',
  },
});

export const listSyncConflicts = defineVerb<object, { conflicts: Fork[] }>({
  needs: 'read',
  input: {},
  run: async ({ engine, caller }) => ({ conflicts: await engine.listForks(caller) }),
  rest: {
    at: 'GET /sync/conflicts',
    summary: 'Records that two replicas changed without knowing of each other',
    answers: { 200: 'Each with all its texts, the one that shows first. The next edit of it settles that.' },
  },
});

/** With whom the space is exchanged from here. */
export const listLinks = defineVerb<object, { name: string; state: JsonObject }[]>({
  needs: 'read',
  input: {},
  run: ({ engine, caller }) => engine.listLinks(caller),
});

export const keepLink = defineVerb<{ name: string; state: JsonObject | null }, void>({
  needs: 'write',
  handed: ['state'],
  input: { name: label('The name of the link.', { isRequired: true }) },
  run: ({ engine, caller }, input) => engine.keepLink(caller, input),
});

export const renewReplica = defineVerb<object, { replica: string; epoch: string }>({
  needs: 'write',
  input: {},
  run: ({ engine, caller }) => engine.renewReplica(caller),
});
