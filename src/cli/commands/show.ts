import { needPacket } from '../../verbs/packets/get-packet.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { safeText } from '../safe-text.ts';
import { run as pull } from './pull.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json, client } = context;
  const id = needPacketId(args, 'show');
  if (json) return pull(context);
  const { packet, ...publication } = await (await client({ team: args.text('team') })).getPacket({ id });
  const { renderShow } = await import('../../server/packet-forms.ts');
  terminal.streams.stdout.write(safeText(renderShow(needPacket(packet), publication)));
  return EXIT.ok;
}
