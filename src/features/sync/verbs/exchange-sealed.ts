import type { RecordId } from '../../../model/ids.ts';
import type { KeptKeyring } from '../../../model/sealed.ts';
import { integer, label, text } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type {
  ListUploadsInput,
  SealedDigest,
  SlotPage,
  TakeUploadsInput,
  UploadsReport,
} from '../sealed/sealed-space.ts';
import { link, oneByOne } from './exchange-replicas.ts';

const MOST = Number.MAX_SAFE_INTEGER;

export const readKeyrings = defineVerb<{ after?: number }, { keyrings: KeptKeyring[] }>({
  needs: 'read',
  input: { after: integer(0, MOST, 'Only revisions after this one.') },
  run: async ({ engine, caller }, { after = 0 }) => ({ keyrings: await engine.readKeyrings(caller, after) }),
  rest: {
    at: 'GET /sync/keyrings',
    summary: 'Who has the key of a sealed space, revision by revision',
    answers: { 200: 'What machines have written, which the server cannot read; none where the space is not sealed.' },
  },
});

export const keepKeyring = defineVerb<KeptKeyring, void>({
  needs: 'write',
  input: {
    revision: { ...integer(1, MOST, 'One more than the last.'), isRequired: true },
    key_id: label('The name of the key that uploads are sealed with from now on.', { isRequired: true }),
    text: text('The list of machines and what is wrapped for them.', { isRequired: true, min: 1, max: 1_048_576 }),
  },
  run: ({ engine, caller }, input) => engine.keepKeyring(caller, input),
  rest: {
    at: 'POST /sync/keyrings',
    summary: 'Seal a space at its start, or change who has its key',
    example: { body: { revision: 1, key_id: '0123456789abcdef', text: '{}' } },
    answers: { 204: 'Kept.', 409: 'Another was faster, or the space holds records that can be read.' },
  },
});

/** The lines of a page, the last of which says where it ends. */
export const pullUploads = defineVerb<ListUploadsInput, AsyncIterable<string>>({
  needs: 'read',
  input: {
    after: integer(0, MOST, 'Where the last page ended; from the beginning if not given.'),
    epoch: label('The epoch that the place belongs to.'),
    link: label('The name of the link. What came by it is left out.'),
    uploads: { type: 'names', about: 'These alone, by their names.' },
  },
  async run({ engine, caller }, input) {
    const { lines, to, epoch, isLast } = await engine.listUploads(caller, input);
    return oneByOne([...lines, JSON.stringify({ to, epoch, isLast })]);
  },
  rest: {
    at: 'GET /sync/sealed',
    summary: 'A page of what machines have sealed, or of what has come since the last one',
    answers: {
      200: 'One line per upload, at most 500 or 1 MiB, and a line that says where the page ends (`to`), in which `epoch`, and whether it is the last.',
    },
    streams: 'out',
  },
});

export const pushUploads = defineVerb<TakeUploadsInput, UploadsReport>({
  needs: 'write',
  handed: ['lines'],
  input: {
    link,
    key_id: label('The key that they are sealed with; must be the one in use.', { isRequired: true }),
    up_to: {
      ...integer(0, MOST, 'Uploads of the same slots up to this number have been taken in, and go.'),
      isRequired: true,
    },
  },
  run: ({ engine, caller }, input) => engine.takeUploads(caller, input),
  rest: {
    at: 'POST /sync/sealed',
    summary: 'Keep uploads that a machine has sealed',
    answers: {
      200: 'How many were kept, and what was refused. May be repeated.',
      409: 'Another key is in use by now.',
    },
    streams: 'in',
  },
});

export const dropUploads = defineVerb<{ uploads: readonly string[] }, { dropped: number }>({
  needs: 'write',
  input: { uploads: { type: 'refs', about: 'Their names.', isRequired: true, min: 1, max: 500 } },
  run: ({ engine, caller }, { uploads }) => engine.dropUploads(caller, uploads),
  rest: {
    at: 'POST /sync/sealed/drop',
    summary: 'Remove uploads that no machine can open',
    example: { body: { uploads: ['00112233445566778899aabbccddeeff'] } },
    answers: { 200: 'How many were there.' },
  },
});

export const digestSealed = defineVerb<object, SealedDigest>({
  needs: 'read',
  input: {},
  run: ({ engine, caller }) => engine.digestSealed(caller),
  rest: {
    at: 'GET /sync/sealed/digest',
    summary: 'A digest of everything that machines have sealed, and how much it is',
    answers: { 200: 'The digest and the counts.' },
  },
});

export const listSlots = defineVerb<{ after?: string }, SlotPage>({
  needs: 'read',
  input: { after: text('The last slot of the page before.', { min: 1, max: 64 }) },
  run: ({ engine, caller }, { after = '' }) => engine.listSlots(caller, after),
  rest: {
    at: 'GET /sync/sealed/slots',
    summary: 'Which uploads are kept, without what is sealed in them',
    answers: { 200: 'At most 5,000 slots, in their order.' },
  },
});

/** What replicas know of each record, without a word of what it says. */
export const describeRecords = defineVerb<
  { projects?: readonly string[] },
  AsyncIterable<{ id: RecordId; text: string }>
>({
  needs: 'read',
  handed: ['projects'],
  input: {},
  run: async ({ engine, caller }, { projects }) => engine.describeRecords(caller, projects),
});

/** As they travel, with all versions. */
export const tellRecords = defineVerb<{ ids: readonly RecordId[] }, string[]>({
  needs: 'read',
  handed: ['ids'],
  input: {},
  run: ({ engine, caller }, { ids }) => engine.tellRecords(caller, ids),
});
