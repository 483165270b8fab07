import { toWire } from '../../model/wire.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { safeLine } from '../safe-text.ts';

export async function run({ args, terminal, json, client, server }: CommandContext): Promise<number> {
  const id = needPacketId(args, 'publish');
  const published = await (await client({ team: args.text('team') })).publishPacket({ id });
  if (json) terminal.printJson(toWire(published));
  else terminal.print(safeLine(published.publicUrl ?? `published ${id}`));
  if ((await server()) === null) terminal.note('The page is available while `ltm serve` runs on this database.');
  return EXIT.ok;
}
