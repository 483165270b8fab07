import type { CommandContext } from '../command.ts';
import { draftPacket } from '../packets/draft-packet.ts';
import { readPacketFile } from '../packets/read-packet-file.ts';
import { sendPacket } from '../packets/send-packet.ts';

/** With a file or a pipe the same as push; at a terminal, a draft to fill in. */
export async function run(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const [file] = args.words;
  if (file === undefined && terminal.isInteractive) return draftPacket(context);
  return sendPacket(context, await readPacketFile(file ?? '-', terminal.streams));
}
