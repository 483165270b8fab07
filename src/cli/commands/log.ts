import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { showPackets } from '../packets/show-packets.ts';
import { safeLine } from '../safe-text.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const id = needPacketId(args, 'log');
  const chain = await (await client({ team: args.text('team') })).listAncestors({ id });
  if (json) {
    terminal.printJson(chain);
    return EXIT.ok;
  }
  showPackets(
    chain.packets.map((packet) => ({ ...packet, createdAt: packet.created_at })),
    terminal,
  );
  if (chain.missing !== null) terminal.note(`It continues ${safeLine(chain.missing)}, which is not on this server.`);
  if (chain.circular) terminal.note('The chain is circular; each packet is shown once.');
  return EXIT.ok;
}
