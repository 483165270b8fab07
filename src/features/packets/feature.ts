import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';
import { LATEST_PACKET_VERSION } from './packet.ts';
import { packetKind } from './packet-kind.ts';
import { settings } from './settings.ts';
import type { VERBS } from './verbs.ts';

const saving = () => import('./save-packet.ts');
const finding = () => import('./find-packet.ts');

const api = {
  savePacket: late(saving, 'savePacket'),
  getPacket: late(finding, 'getPacket'),
  listPackets: late(finding, 'listPackets'),
  listAncestors: late(finding, 'listAncestors'),
  deletePacket: late(saving, 'deletePacket'),
  publishPacket: late(saving, 'publishPacket'),
  unpublishPacket: late(saving, 'unpublishPacket'),
  readPublicPacket: late(saving, 'readPublicPacket'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const packets = defineFeature({
  name: 'packets',
  about: 'The state of a piece of work, handed to the next session.',
  settings,
  protocol: LATEST_PACKET_VERSION,
  kinds: [packetKind],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  imports: { packets: async () => (await import('./import-packets.ts')).importPackets },
  commands: async () => (await import('./commands.ts')).COMMANDS,
  tools: async () => (await import('./tools.ts')).listTools,
  outgoing: async () => (await import('./refuse-secrets-in-call.ts')).refuseSecretsInCall,
  http: async () => (await import('./public-pages.ts')).publicPages,
});
