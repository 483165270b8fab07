import { createServiceApp } from '../compat/service/routes/create-service-app.ts';
import { createEventTickets } from '../compat/service/routes/event-tickets.ts';
import type { ServerEnv } from './check-token.ts';
import type { ExtensionPorts, ServerExtension } from './compose-http.ts';
import { describeConfig, engineSettings, serviceSettings } from './config.ts';
import { systemClock } from './system-clock.ts';

const SERVICE_API_PATH = '/api';

/** The REST routes of mcp-memory-service. */
export function serviceExtension(shared: ExtensionPorts): ServerExtension {
  const { config, engine, log, tokenCheck, rest } = shared;
  const { now } = systemClock;
  const app = createServiceApp<ServerEnv>(
    {
      ...{ engine, log, rest, now, authenticate: tokenCheck.authenticate, limit: tokenCheck.limit },
      ...{ resourceMetadataUrl: tokenCheck.resourceMetadataUrl, maxBodyBytes: config.maxBodyBytes },
      timeZone: engineSettings(config).timeZone,
      settings: serviceSettings(config),
      startedAt: now(),
      tickets: createEventTickets(now),
      listSettings: () => describeConfig(config),
    },
    tokenCheck.addressOf,
  );
  return { mounts: [{ path: SERVICE_API_PATH, app }] };
}
