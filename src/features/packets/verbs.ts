import { inGroup } from '../../verbs/in-group.ts';
import { getPacket, listAncestors } from '../../verbs/packets/get-packet.ts';
import { listPackets } from '../../verbs/packets/list-packets.ts';
import { deletePacket, publishPacket, unpublishPacket } from '../../verbs/packets/publish-packet.ts';
import { savePacket } from '../../verbs/packets/save-packet.ts';

export const VERBS = inGroup('Packets', {
  savePacket,
  listPackets,
  getPacket,
  listAncestors,
  deletePacket,
  publishPacket,
  unpublishPacket,
});
