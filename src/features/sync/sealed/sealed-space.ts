import { createHash } from 'node:crypto';
import * as z from 'zod';
import { authorize, isAllowed } from '../../../engine/authorize.ts';
import type { EngineParts } from '../../../engine/engine-parts.ts';
import type { SealedSpaces } from '../../../engine/ports.ts';
import { boundLength } from '../../../model/bounded-length.ts';
import type { Caller } from '../../../model/caller.ts';
import { EngineError } from '../../../model/errors.ts';
import type { SpaceId } from '../../../model/ids.ts';
import {
  describeSlot,
  type KeptKeyring,
  type KeptUpload,
  type SealedUpload,
  type UploadFacts,
} from '../../../model/sealed.ts';
import { checkLinkName } from '../clean-incoming.ts';

export interface ListUploadsInput {
  /** A number of the space's uploads, and which numbering it belongs to; from the first where nothing is said, or it is void. */
  after?: number;
  epoch?: string;
  /** What came by it is left out. */
  link?: string;
  /** These alone. */
  uploads?: readonly string[];
}

export interface UploadPage {
  lines: string[];
  to: number;
  epoch: string;
  isLast: boolean;
}

export interface TakeUploadsInput {
  link: string;
  keyId: string;
  /** Uploads up to this number have been taken in. */
  upTo: number;
  lines: AsyncIterable<string> | Iterable<string>;
}

export interface UploadsReport {
  taken: number;
  refused: { id: string; why: string }[];
}

export interface SealedDigest {
  isSealed: boolean;
  /** Over slots and what machines say that is in them: equal ones mean equal contents, as far as the server is believed. */
  digest: string;
  slots: number;
  uploads: number;
  bytes: number;
  /** Uploads by the key that they are sealed with. */
  keys: Readonly<Record<string, number>>;
}

export interface SlotPage {
  slots: { slot: string; upload: string; seq: number; tag: string; buried: number }[];
  isLast: boolean;
}

const PAGE = 500;
const PAGE_BYTES = 1_048_576;
const SLOTS = 5_000;
/** Of a record with very many versions. */
const MAX_BODY_BYTES = 33_554_432;
const MAX_KEYRING_CHARS = 1_048_576;
/** More come in the next request. */
const MAX_LINES = 1_000;
const MAX_KNOWN = 100;

const word = z.string().regex(/^[\w-]{1,64}$/);
const whole = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const uploadSchema = z.object({
  slot: word,
  upload: word,
  member: word,
  tag: word,
  generation: whole,
  buried: whole,
  keeps: boundLength(z.array(word), { max: 1000 }).default([]),
  body: boundLength(z.base64(), { min: 1, max: Math.ceil((MAX_BODY_BYTES * 4) / 3) }),
});

/** Digests are of one state of a space, and many ask for the same. */
const knownDigests = () => new Map<SpaceId, { key: string; facts: Omit<SealedDigest, 'isSealed'> }>();

export async function readKeyrings({ store }: EngineParts, caller: Caller, after: number): Promise<KeptKeyring[]> {
  authorize(caller, 'read', caller.space);
  return store.sealed.readKeyrings(caller.space, after);
}

export async function keepKeyring(
  { store, clock }: EngineParts,
  caller: Caller,
  { revision, keyId, text }: KeptKeyring,
): Promise<void> {
  const { space } = caller;
  authorize(caller, 'write', space);
  if (text.length > MAX_KEYRING_CHARS) throw new EngineError('too_large', 'This list of keys is too long.');
  const outcome = await store.sealed.putKeyring(space, { revision, keyId, text }, clock.now());
  if (outcome === 'occupied')
    throw new EngineError('conflict', 'This space holds records that the server can read: it cannot be sealed.', {
      hint: 'A space is sealed at its start. Take another one, such as that of a new team (`--team NAME`).',
      details: { reason: 'occupied' },
    });
  if (outcome === 'outrun')
    throw new EngineError('conflict', 'Another machine has changed the keys of this space meanwhile.', {
      hint: 'Exchange again.',
      details: { reason: 'keyring' },
    });
}

export async function listUploads(
  { store }: EngineParts,
  caller: Caller,
  input: ListUploadsInput,
): Promise<UploadPage> {
  const { space } = caller;
  authorize(caller, 'read', space);
  const { sealed } = store;
  const { epoch } = await store.readReplica(space);
  const { after = 0, link = null, uploads: names } = input;
  const page =
    names === undefined
      ? { after: input.epoch === epoch ? after : 0, without: link, limit: PAGE, bytes: PAGE_BYTES }
      : null;
  const found =
    page === null
      ? { uploads: await sealed.read(space, names!.slice(0, PAGE)), last: after, isLast: true }
      : await sealed.list(space, page);
  return { lines: found.uploads.map(formatUpload), to: found.last, epoch, isLast: found.isLast };
}

/** Uploads that no machine can open. */
export async function dropUploads(
  { store }: EngineParts,
  caller: Caller,
  names: readonly string[],
): Promise<{ dropped: number }> {
  authorize(caller, 'write', caller.space);
  return { dropped: await store.sealed.drop(caller.space, names) };
}

export async function digestSealed(parts: EngineParts, caller: Caller): Promise<SealedDigest> {
  const { space } = caller;
  authorize(caller, 'read', space);
  const { store } = parts;
  const known = parts.state(knownDigests);
  const { sealed: number } = await store.readReplica(space);
  const key = `${number} ${await store.sealed.countUploads(space)}`;
  const last = known.get(space);
  const facts = last?.key === key ? last.facts : await describe(parts, space);
  known.set(space, { key, facts });
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return { isSealed: number > 0, ...facts };
}

export async function listSlots({ store }: EngineParts, caller: Caller, after: string): Promise<SlotPage> {
  authorize(caller, 'read', caller.space);
  const found = await store.sealed.listSlots(caller.space, { after, limit: SLOTS });
  const slots = found.map(({ slot, upload, seq, tag, buried }) => ({ slot, upload, seq, tag, buried }));
  return { slots, isLast: new Set(slots.map(({ slot }) => slot)).size < SLOTS };
}

async function describe(parts: EngineParts, space: SpaceId): Promise<Omit<SealedDigest, 'isSealed'>> {
  const counts = await parts.store.sealed.count(space);
  return { ...counts, digest: await digestSlots(parts, space) };
}

async function digestSlots({ store }: { store: SealedSpaces }, space: SpaceId): Promise<string> {
  const hash = createHash('sha256');
  for (let after = ''; ; ) {
    const found = await store.sealed.listSlots(space, { after, limit: SLOTS });
    for (const [slot, uploads] of Map.groupBy(found, (one) => one.slot))
      hash.update(describeSlot(slot, new Set(uploads.map(({ tag }) => tag))));
    if (found.length === 0) return hash.digest('hex').slice(0, 32);
    after = found.at(-1)!.slot;
  }
}

function formatUpload({ body, ...facts }: KeptUpload): string {
  return JSON.stringify({ ...facts, body: Buffer.from(body).toString('base64') });
}

function readUpload(text: string): (SealedUpload & { keeps: string[] }) | null {
  try {
    const { data } = uploadSchema.safeParse(JSON.parse(text));
    return data === undefined ? null : { ...data, keyId: '', body: Buffer.from(data.body, 'base64') };
  } catch {
    return null; // told as a line that was not understood
  }
}

export async function takeUploads(parts: EngineParts, caller: Caller, input: TakeUploadsInput): Promise<UploadsReport> {
  const { space, userId } = caller;
  authorize(caller, 'write', space);
  await checkLinkName(parts, caller, input.link);
  const { store, clock } = parts;
  const report: UploadsReport = { taken: 0, refused: [] };
  const uploads: (SealedUpload & { keeps: string[] })[] = [];
  let lines = 0;
  for await (const line of input.lines) {
    if (++lines > MAX_LINES) throw new EngineError('too_large', `A request takes at most ${MAX_LINES} uploads.`);
    const upload = readUpload(line);
    if (upload === null) report.refused.push({ id: '?', why: 'this line was not understood' });
    else uploads.push({ ...upload, keyId: input.keyId });
  }
  const taken = await refuseForeignPurges(parts, caller, uploads, report);
  const { link, keyId, upTo } = input;
  const outcome = await store.sealed.put(space, taken, { upTo, keyId, link, userId, at: clock.now() });
  if (outcome === 'other_key')
    throw new EngineError('conflict', 'This space is sealed with another key by now.', {
      hint: 'Exchange again: the machine is then given the key, unless it was taken off the list.',
      details: { reason: 'key' },
    });
  return { ...report, taken: taken.length };
}

/** A purge takes away for good what others brought: one's own may go, and whatever an admin says. */
async function refuseForeignPurges(
  { store }: { store: SealedSpaces },
  caller: Caller,
  uploads: readonly (SealedUpload & { keeps: string[] })[],
  report: UploadsReport,
): Promise<(SealedUpload & { keeps: string[] })[]> {
  if (isAllowed(caller, 'admin', caller.space)) return [...uploads];
  const burying = uploads.filter(({ buried }) => buried > 0).map(({ slot }) => slot);
  if (burying.length === 0) return [...uploads];
  const there = await store.sealed.findSlots(caller.space, burying);
  const bySlot = Map.groupBy(there, ({ slot }) => slot);
  const isForeign = ({ slot, buried }: SealedUpload) =>
    (bySlot.get(slot) ?? []).some((one: UploadFacts) => one.buried < buried && one.userId !== caller.userId);
  for (const upload of uploads.filter(isForeign))
    report.refused.push({ id: upload.upload, why: 'purges are taken from admins only' });
  return uploads.filter((upload) => !isForeign(upload));
}
