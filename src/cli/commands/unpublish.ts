import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { safeLine } from '../safe-text.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const id = needPacketId(args, 'unpublish');
  await (await client({ team: args.text('team') })).unpublishPacket({ id });
  if (json) terminal.printJson({ unpublished: id });
  else terminal.print(`unpublished ${safeLine(id)}`);
  return EXIT.ok;
}
