import { createHash } from 'node:crypto';
import { describeSlot, type KeptUpload } from '../../../model/sealed.ts';
import type { Client } from '../../../verbs/client.ts';
import { type Exchange, type ExchangeReport, type LinkState, note, type Replica } from '../exchange-replicas.ts';
import { sealLine, slotOf, tagOf } from './envelope.ts';
import { tampered } from './keyring.ts';
import type { SealedSpace, VaultSession } from './vault-session.ts';

/** Of lines before they are sealed. */
const MAX_BYTES = 4_194_304;

export type NearReplica = Replica & Pick<Client, 'describeRecords' | 'tellRecords'>;
export type FarVault = Pick<
  Client,
  | 'greetReplica'
  | 'readKeyrings'
  | 'keepKeyring'
  | 'pullUploads'
  | 'pushUploads'
  | 'dropUploads'
  | 'digestSealed'
  | 'listSlots'
>;

export interface SealedExchange extends Omit<Exchange, 'near' | 'far'> {
  near: NearReplica;
  far: FarVault;
  folder: SealedSpace['folder'];
  /** Everything that the server keeps is fetched and opened, and what is missing or changed is sent again. */
  isChecked?: boolean;
  /** With a check: what cannot be opened is removed from the server. */
  isDiscarding?: boolean;
}

export interface Work extends SealedExchange {
  session: VaultSession;
  report: ExchangeReport & { sealed: NonNullable<ExchangeReport['sealed']> };
}

export interface PageEnd {
  to: number;
  epoch: string;
  isLast: boolean;
}

export async function readPage(lines: AsyncIterable<string>): Promise<{ uploads: KeptUpload[]; end: PageEnd }> {
  const uploads: KeptUpload[] = [];
  let end: PageEnd | null = null;
  for await (const line of lines) {
    const value = readUploadLine(line);
    if ('to' in value) end = value;
    else uploads.push(value);
  }
  if (end === null) throw tampered('The server ended a page without saying where: it was cut off.');
  return { uploads, end };
}

function readUploadLine(line: string): KeptUpload | PageEnd {
  try {
    const value = JSON.parse(line) as (Omit<KeptUpload, 'body'> & { body: string }) | PageEnd;
    return 'to' in value ? value : { ...value, body: Buffer.from(value.body, 'base64') };
  } catch (cause) {
    throw tampered('The server sent something that is no upload.', cause);
  }
}

/** In requests of some megabytes at most; how many were taken. */
export async function send(work: Work, link: LinkState, lines: readonly string[]): Promise<number> {
  let taken = 0;
  let [group, bytes]: [string[], number] = [[], 0];
  for (const line of lines) {
    if (group.length > 0 && bytes + line.length > MAX_BYTES) {
      taken += await sendGroup(work, link, group);
      [group, bytes] = [[], 0];
    }
    group.push(line);
    bytes += line.length;
  }
  return group.length === 0 ? taken : taken + (await sendGroup(work, link, group));
}

async function sendGroup({ far, session, report }: Work, link: LinkState, lines: readonly string[]): Promise<number> {
  const { vault, signer } = session;
  const keeps = link.sealed!.unread;
  const sealed = lines.map((line) => {
    const { body, ...facts } = sealLine(vault, signer, line);
    return JSON.stringify({ ...facts, keeps, body: Buffer.from(body).toString('base64') });
  });
  const upTo = Number(link.pulled?.to ?? 0);
  const { taken, refused } = await far.pushUploads({ link: link.id, keyId: vault.keyring.keyId, upTo, lines: sealed });
  note(report, { refusedCount: refused.length, refused }, 'there');
  return taken;
}

export interface Comparing {
  near: Pick<NearReplica, 'describeRecords'>;
  far: Pick<FarVault, 'digestSealed' | 'listSlots'>;
  session: VaultSession;
}

type OwnSlots = Map<string, { id: string; tag: string }>;

/** By slot: what this machine knows of the record in it, as only members can tell. */
export async function listOwn({ near, session }: Comparing, projects: LinkState['projects']): Promise<OwnSlots> {
  const own: OwnSlots = new Map();
  for await (const { id, text } of await near.describeRecords(projects === null ? {} : { projects }))
    own.set(slotOf(session.vault, id), { id, tag: tagOf(session.vault, text) });
  return own;
}

type Slots = Map<string, { upload: string; seq: number; tag: string }[]>;

export async function listSlots({ far }: Pick<Comparing, 'far'>): Promise<Slots> {
  const slots: Slots = new Map();
  for (let after: string | undefined; ; ) {
    const page = await far.listSlots(after === undefined ? {} : { after });
    for (const one of page.slots) slots.set(one.slot, [...(slots.get(one.slot) ?? []), one]);
    after = page.slots.at(-1)?.slot;
    if (page.isLast || after === undefined) return slots;
  }
}

/** Whether both sides hold the same. Of some projects the server knows nothing: what this machine has of them is compared one by one. */
export async function compareSealed(work: Comparing, projects: LinkState['projects']): Promise<boolean> {
  const own = await listOwn(work, projects);
  if (projects !== null) {
    const there = await listSlots(work);
    return [...own].every(([slot, { tag }]) => {
      const tags = new Set((there.get(slot) ?? []).map((one) => one.tag));
      return tags.size === 1 && tags.has(tag);
    });
  }
  const hash = createHash('sha256');
  for (const slot of [...own.keys()].sort()) hash.update(describeSlot(slot, new Set([own.get(slot)!.tag])));
  return hash.digest('hex').slice(0, 32) === (await work.far.digestSealed({})).digest;
}
