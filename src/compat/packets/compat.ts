import { defineFeature } from '../../features/feature.ts';
import { settings } from './settings.ts';

export const packets = defineFeature({
  name: 'packets',
  about: 'The HTTP interface of the packet protocol.',
  settings,
  needs: ['packets', 'people'],
  remote: async () => (await import('./remote-packets.ts')).createRemotePackets,
  http: async () => (await import('./create-packets-app.ts')).packetApi,
});
