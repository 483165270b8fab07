import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../engine/ports.ts';
import type { JsonObject } from '../../model/json.ts';
import type { IdentityChanges, OAuthArtifact, OAuthStore } from '../ports.ts';
import { hashToken } from '../tokens.ts';

/** Between two questions of a waiting device, as it is told. */
export const POLL_SECONDS = 5;
/** A second less than told: networks do not keep time. */
const LEAST_MS = (POLL_SECONDS - 1) * 1000;
const MAX_CODES = 10_000;

/** Notes that the device with this code asks now. Of each process alone, in bounded memory: whoever is forgotten may ask once more. */
function createPollPace(clock: Clock): (code: string) => boolean {
  const lastAsked = new Map<string, number>();
  return (code) => {
    const now = clock.now();
    const before = lastAsked.get(code);
    lastAsked.delete(code);
    lastAsked.set(code, now);
    if (lastAsked.size > MAX_CODES) lastAsked.delete(lastAsked.keys().next().value!);
    return before !== undefined && now - before < LEAST_MS;
  };
}

export interface AdapterPorts {
  store: IdentityChanges & OAuthStore;
  clock: Clock;
  /** The engine's error for a code or token that somebody else has just used. */
  alreadyUsed(): Error;
  /** The engine's error for a device that asks again too soon. */
  tooFast(): Error;
  /** Is a client presenting codes right now? Then nothing but the code itself opens what it stands for. */
  isTokenRequest(): boolean;
}

/** Nobody has let this client act for them yet. */
export const CLIENT = 'Client';
/** Somebody has, so it is kept. */
const TRUSTED_CLIENT = 'TrustedClient';
const UNUSED_CLIENT_MS = 24 * 3600_000;
const TRUSTED_CLIENT_MS = 400 * 24 * 3600_000;
/** What a person chose at the consent page; as long as it is kept, the grant holds. */
export const CONSENT = 'Consent';
/** As the audit log names the authorization server itself. */
const ENGINE = 'oauth';
/** Stands for the id of something that was found without it. */
const REFERENCE = 'sha256.';

/** What the engine remembers, kept under hashes: whoever reads the table has no code, token, cookie or client secret. */
export function createAdapter(model: string, ports: AdapterPorts): Adapter {
  const { store, clock } = ports;
  if (model === CLIENT) return createClientAdapter(ports);
  const asksTooSoon = createPollPace(clock);
  const read = (found: OAuthArtifact | null, id: string, more: AdapterPayload = {}): AdapterPayload | undefined =>
    found === null ? undefined : { ...toPayload(found), jti: id, ...more };
  return {
    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn === undefined ? null : clock.now() + expiresIn * 1000;
      await store.putArtifact(toArtifact(model, idOf(id), { payload, expiresAt }));
    },
    async find(id) {
      if (id.startsWith(REFERENCE) && (model !== 'DeviceCode' || ports.isTokenRequest())) return undefined;
      const found = await store.findArtifact(model, { id: idOf(id) });
      const isPoll = model === 'DeviceCode' && ports.isTokenRequest();
      if (found !== null && isPoll && isWaiting(found) && asksTooSoon(found.id)) throw ports.tooFast();
      return read(found, id);
    },
    async findByUserCode(userCode) {
      const found = await store.findArtifact(model, { userCode: hashToken(userCode) });
      return read(found, REFERENCE + found?.id, { userCode });
    },
    async findByUid(uid) {
      const found = await store.findArtifact(model, { uid: hashToken(uid) });
      return read(found, REFERENCE + found?.id);
    },
    async consume(id) {
      if (await store.consumeArtifact(model, idOf(id), clock.now())) return;
      const lost = await store.findArtifact(model, { id: idOf(id) });
      if (lost !== null && lost.grantId !== null) await endGrant(store, lost.grantId, ENGINE);
      throw ports.alreadyUsed();
    },
    destroy: (id) => store.removeArtifact(model, idOf(id)),
    revokeByGrantId: (grantId) => endGrant(store, hashToken(grantId), ENGINE),
  };
}

/** Nobody has answered yet: a device that asks after that gets its answer, however fast it was. */
function isWaiting({ payload: { accountId, error } }: OAuthArtifact): boolean {
  return accountId === undefined && error === undefined;
}

/** Clients that nobody lets in are forgotten after a day; those that somebody did, a year after the last time. */
function createClientAdapter({ store, clock }: AdapterPorts): Adapter {
  const find = async (id: string): Promise<AdapterPayload | undefined> => {
    const found = await findClient(store, hashToken(id));
    return found === null || isPast(found, clock) ? undefined : toPayload(found);
  };
  return {
    async upsert(id, payload) {
      const { client_secret: secret, ...others } = payload;
      const kept = secret === undefined ? others : { ...others, client_secret: hashToken(secret) };
      const expiresAt = clock.now() + UNUSED_CLIENT_MS;
      await store.putArtifact(toArtifact(CLIENT, hashToken(id), { payload: kept, expiresAt }));
    },
    find,
    async destroy(id) {
      for (const model of [CLIENT, TRUSTED_CLIENT]) await store.removeArtifact(model, hashToken(id));
    },
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
}

async function findClient(store: OAuthStore, id: string): Promise<OAuthArtifact | null> {
  return (await store.findArtifact(TRUSTED_CLIENT, { id })) ?? store.findArtifact(CLIENT, { id });
}

/** Somebody lets this client in: it is kept from now on. Clients that are not registered have nothing to keep. */
export async function keepClient(store: OAuthStore, clientId: string, clock: Clock): Promise<void> {
  const id = hashToken(clientId);
  const found = await findClient(store, id);
  if (found === null) return;
  await store.putArtifact({ ...found, model: TRUSTED_CLIENT, expiresAt: clock.now() + TRUSTED_CLIENT_MS });
  await store.removeArtifact(CLIENT, id);
}

/** By its hash. Whatever another request is just about to keep for it is worth nothing any more: the person's consent is gone. */
export async function endGrant(store: IdentityChanges & OAuthStore, grantId: string, actor: string): Promise<void> {
  const consent = await store.findArtifact(CONSENT, { id: grantId });
  await store.changeIdentity(
    [{ op: 'remove_grant', grant: { id: grantId, teamId: (consent?.payload.teamId ?? null) as string | null } }],
    actor,
  );
}

export function isPast({ expiresAt }: OAuthArtifact, clock: Clock): boolean {
  return expiresAt !== null && expiresAt <= clock.now();
}

function idOf(id: string): string {
  return id.startsWith(REFERENCE) ? id.slice(REFERENCE.length) : hashToken(id);
}

function toArtifact(
  model: string,
  id: string,
  { payload, expiresAt }: { payload: AdapterPayload; expiresAt: number | null },
): OAuthArtifact {
  const { jti: _id, userCode, session, ...others } = payload;
  const { cookie: _cookie, ...sessionFacts } = session ?? {};
  const kept = { ...others, ...(session !== undefined && { session: sessionFacts }) };
  return {
    model,
    id,
    // Through JSON and back: what the engine hands over has members that are undefined.
    payload: JSON.parse(JSON.stringify(kept)) as JsonObject,
    grantId: payload.grantId === undefined || model === 'Interaction' ? null : hashToken(payload.grantId),
    userCode: userCode === undefined ? null : hashToken(userCode),
    uid: payload.uid === undefined ? null : hashToken(payload.uid),
    userId: payload.accountId ?? null,
    expiresAt,
    consumedAt: null,
  };
}

function toPayload({ payload, consumedAt }: OAuthArtifact): AdapterPayload {
  return { ...(payload as AdapterPayload), ...(consumedAt !== null && { consumed: Math.floor(consumedAt / 1000) }) };
}
