import { toIsoSeconds } from '../../../model/instant.ts';
import { defineVerb, type HostContext } from '../../../verbs/verb.ts';
import type { PacketPublication } from '../packet-record.ts';
import { packetCommand, packetId } from './packet-input.ts';

/** Where `ltm serve` listens unless it is told otherwise. */
const LOCAL_URL = 'http://127.0.0.1:8000';

export interface Publication {
  /** A server of another make may not say. */
  publicUrl?: string;
  publishedAt?: string;
}

export function publicationOf({ slug, at }: PacketPublication, url: string | null): Required<Publication> {
  return { publicUrl: `${url ?? LOCAL_URL}/p/${slug}`, publishedAt: toIsoSeconds(at) };
}

export const publishPacket = defineVerb<{ id: string }, Publication & { id: string }, HostContext>({
  needs: 'write',
  input: { id: packetId },
  run: async ({ engine, caller, url }, { id }) => ({
    id,
    ...publicationOf(await engine.publishPacket(caller, id), url),
  }),
  command: packetCommand('publish', 'Make a packet readable for everyone who has its link', {
    about: 'Prints an unguessable link. Publishing again returns the same link. `ltm unpublish` removes it.',
  }),
});

export const unpublishPacket = defineVerb<{ id: string }, void>({
  needs: 'write',
  input: { id: packetId },
  async run({ engine, caller }, { id }) {
    await engine.unpublishPacket(caller, id);
  },
  command: packetCommand('unpublish', 'Unpublish a packet'),
});

export const deletePacket = defineVerb<{ id: string }, void>({
  needs: 'write',
  input: { id: packetId },
  run: ({ engine, caller }, { id }) => engine.deletePacket(caller, id),
  command: packetCommand('rm', 'Delete a packet (saving it again restores it)', {
    about: 'You can delete your own packets, and all packets of a team whose admin or owner you are.',
  }),
});
