import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { callHost, packetPath } from '../packets/call-host.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { openHost } from '../packets/open-host.ts';
import { safeLine } from '../safe-text.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const id = needPacketId(args, 'unpublish');
  await callHost(await openHost(context), packetPath(id, args.text('team'), '/publish'), { method: 'DELETE' });
  if (json) terminal.printJson({ unpublished: id });
  else terminal.print(`unpublished ${safeLine(id)}`);
  return EXIT.ok;
}
