import { createPacketsApp, PACKET_API_PATH } from '../compat/packets/create-packets-app.ts';
import { createPublicApp, createSchemaApp } from '../compat/packets/create-public-apps.ts';
import type { ServerEnv } from './check-token.ts';
import type { ExtensionPorts, ServerExtension } from './compose-http.ts';

/** Packets, teams and invites at /v1, published packets at /p, the packets' schemas at /schema. */
export function packetExtension({ engine, accounts, log, tokenCheck, urlOf }: ExtensionPorts): ServerExtension {
  const { authenticate, limit, resourceMetadataUrl, addressOf } = tokenCheck;
  const ports = { engine, accounts, authenticate, limit, log, urlOf, resourceMetadataUrl };
  return {
    mounts: [
      { path: PACKET_API_PATH, app: createPacketsApp<ServerEnv>(ports, addressOf) },
      { path: '/p', app: createPublicApp<ServerEnv>(engine) },
      { path: '/schema', app: createSchemaApp<ServerEnv>() },
    ],
  };
}
