import { createHash } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../../engine/ports.ts';
import type { JsonObject } from '../../model/json.ts';
import type { AuthStore, OAuthArtifact, OAuthStore } from '../ports.ts';
import { createPollPace } from './poll-pace.ts';

export interface AdapterPorts {
  store: AuthStore;
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
  const polls = createPollPace(clock);
  const read = (found: OAuthArtifact | null, id: string, more: AdapterPayload = {}): AdapterPayload | undefined =>
    found === null ? undefined : { ...toPayload(found), jti: id, ...more };
  return {
    async upsert(id, payload, expiresIn) {
      await store.putArtifact(
        toArtifact(model, idOf(id), {
          payload,
          expiresAt: expiresIn === undefined ? null : clock.now() + expiresIn * 1000,
        }),
      );
    },
    async find(id) {
      if (id.startsWith(REFERENCE) && (model !== 'DeviceCode' || ports.isTokenRequest())) return undefined;
      const found = await store.findArtifact(model, { id: idOf(id) });
      if (
        found !== null &&
        model === 'DeviceCode' &&
        ports.isTokenRequest() &&
        isWaiting(found) &&
        polls.isTooSoon(found.id)
      )
        throw ports.tooFast();
      return read(found, id);
    },
    async findByUserCode(userCode) {
      const found = await store.findArtifact(model, { userCode: hashId(userCode) });
      return read(found, REFERENCE + found?.id, { userCode });
    },
    async findByUid(uid) {
      const found = await store.findArtifact(model, { uid: hashId(uid) });
      return read(found, REFERENCE + found?.id);
    },
    async consume(id) {
      if (await store.consumeArtifact(model, idOf(id), clock.now())) return;
      const lost = await store.findArtifact(model, { id: idOf(id) });
      if (lost !== null && lost.grantId !== null) await endGrant(store, lost.grantId, ENGINE);
      throw ports.alreadyUsed();
    },
    destroy: (id) => store.removeArtifact(model, idOf(id)),
    revokeByGrantId: (grantId) => endGrant(store, hashId(grantId), ENGINE),
  };
}

/** Nobody has answered yet: a device that asks after that gets its answer, however fast it was. */
function isWaiting({ payload: { accountId, error } }: OAuthArtifact): boolean {
  return accountId === undefined && error === undefined;
}

/** Clients that nobody lets in are forgotten after a day; those that somebody did, a year after the last time. */
function createClientAdapter({ store, clock }: AdapterPorts): Adapter {
  const find = async (id: string): Promise<AdapterPayload | undefined> => {
    const found =
      (await store.findArtifact(TRUSTED_CLIENT, { id: hashId(id) })) ??
      (await store.findArtifact(CLIENT, { id: hashId(id) }));
    return found === null || isPast(found, clock) ? undefined : toPayload(found);
  };
  return {
    async upsert(id, payload) {
      const { client_secret: secret, ...others } = payload;
      const kept = secret === undefined ? others : { ...others, client_secret: hashId(secret) };
      await store.putArtifact(
        toArtifact(CLIENT, hashId(id), { payload: kept, expiresAt: clock.now() + UNUSED_CLIENT_MS }),
      );
    },
    find,
    async destroy(id) {
      for (const model of [CLIENT, TRUSTED_CLIENT]) await store.removeArtifact(model, hashId(id));
    },
    findByUserCode: async () => undefined,
    findByUid: async () => undefined,
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
}

/** Somebody lets this client in: it is kept from now on. Clients that are not registered have nothing to keep. */
export async function keepClient(store: OAuthStore, clientId: string, clock: Clock): Promise<void> {
  const id = hashId(clientId);
  const found = (await store.findArtifact(TRUSTED_CLIENT, { id })) ?? (await store.findArtifact(CLIENT, { id }));
  if (found === null) return;
  await store.putArtifact({ ...found, model: TRUSTED_CLIENT, expiresAt: clock.now() + TRUSTED_CLIENT_MS });
  await store.removeArtifact(CLIENT, id);
}

/** By its hash. Whatever another request is just about to keep for it is worth nothing any more: the person's consent is gone. */
export async function endGrant(store: AuthStore, grantId: string, actor: string): Promise<void> {
  const consent = await store.findArtifact(CONSENT, { id: grantId });
  await store.changeIdentity(
    [{ op: 'remove_grant', grant: { id: grantId, teamId: (consent?.payload.teamId ?? null) as string | null } }],
    actor,
  );
}

/** A fast hash is right: ids are 256 random bits; user codes live for minutes, and guesses are counted. */
export function hashId(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

export function isPast({ expiresAt }: OAuthArtifact, clock: Clock): boolean {
  return expiresAt !== null && expiresAt <= clock.now();
}

function idOf(id: string): string {
  return id.startsWith(REFERENCE) ? id.slice(REFERENCE.length) : hashId(id);
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
    grantId: payload.grantId === undefined || model === 'Interaction' ? null : hashId(payload.grantId),
    userCode: userCode === undefined ? null : hashId(userCode),
    uid: payload.uid === undefined ? null : hashId(payload.uid),
    userId: payload.accountId ?? null,
    expiresAt,
    consumedAt: null,
  };
}

function toPayload({ payload, consumedAt }: OAuthArtifact): AdapterPayload {
  return { ...(payload as AdapterPayload), ...(consumedAt !== null && { consumed: Math.floor(consumedAt / 1000) }) };
}
