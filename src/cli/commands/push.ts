import type { CommandContext } from '../command.ts';
import { readPacketFile } from '../packets/read-packet-file.ts';
import { sendPacket } from '../packets/send-packet.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
  const [file] = context.args.words;
  if (file === undefined)
    throw new UsageError(
      '`ltm push` needs a file, or - for stdin.',
      '`ltm example > packet.json` writes one to start from.',
    );
  return sendPacket(context, await readPacketFile(file, context.terminal.streams));
}
