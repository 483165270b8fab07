import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { callHost, packetPath } from '../packets/call-host.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { openHost } from '../packets/open-host.ts';
import { safeJson } from '../safe-text.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const id = needPacketId(args, 'pull');
  const body = await (await callHost(await openHost(context), packetPath(id, args.text('team')))).text();
  terminal.streams.stdout.write(`${terminal.showsToPerson ? safeJson(body) : body}\n`);
  return EXIT.ok;
}
