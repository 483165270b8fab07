import { canonicalJson } from '../../model/canonical-json.ts';
import type { TakenImport } from '../../model/imported-parts.ts';
import type { Client } from '../../verbs/client.ts';
import type { Packet } from './packet.ts';
import { inspectPacket } from './packet-forms.ts';

/** Looked at before anything is sent, as those that are saved here are. */
export async function importPackets(
  client: Client,
  packets: readonly { text: string }[],
  { isDryRun }: { isDryRun: boolean },
): Promise<TakenImport> {
  const outcome: TakenImport = { taken: 0, unchanged: 0, refused: [], leftOut: [] };
  const known = await listPacketIds(client);
  for (const { text } of packets) {
    const raw = new TextEncoder().encode(text);
    const { packet, problem, findings } = inspectPacket(raw, false);
    const why = problem ?? (findings.length > 0 ? 'it seems to contain secrets or private paths' : null);
    if (why !== null) outcome.refused.push(`packet ${packet?.id ?? '(unreadable)'}: ${why}`);
    else {
      const isThere = packet !== null && known.has(packet.id) && (await isSamePacket(client, packet));
      if (!isThere && !isDryRun) await client.savePacket({ raw, allowUnredacted: false });
      outcome[isThere ? 'unchanged' : 'taken']++;
    }
  }
  return outcome;
}

const PACKETS_AT_ONCE = 500;

async function listPacketIds(client: Client): Promise<Set<string>> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await client.listPackets({ limit: PACKETS_AT_ONCE, cursor });
    for (const { id } of page.packets) ids.add(id);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

async function isSamePacket(client: Client, packet: Packet): Promise<boolean> {
  const there = (await client.getPacket({ id: packet.id })).packet;
  return canonicalJson(there) === canonicalJson(packet);
}
