import { inGroup } from '../../verbs/in-group.ts';
import { getPacket, listAncestors } from './verbs/get-packet.ts';
import { listPackets } from './verbs/list-packets.ts';
import { deletePacket, publishPacket, unpublishPacket } from './verbs/publish-packet.ts';
import { savePacket } from './verbs/save-packet.ts';

export const VERBS = inGroup('Packets', {
  savePacket,
  listPackets,
  getPacket,
  listAncestors,
  deletePacket,
  publishPacket,
  unpublishPacket,
});
