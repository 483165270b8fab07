import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { callForJson, packetPath } from '../packets/call-host.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { openHost } from '../packets/open-host.ts';
import { safeLine } from '../safe-text.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const id = needPacketId(args, 'publish');
  const host = await openHost(context);
  const answer = await callForJson<{ public_url?: string }>(host, packetPath(id, args.text('team'), '/publish'), {
    method: 'POST',
  });
  if (json) terminal.printJson(answer);
  else terminal.print(answer.public_url === undefined ? `published ${safeLine(id)}` : safeLine(answer.public_url));
  if (host.host === null) terminal.note('The page is there while `ltm serve` runs on this database.');
  return EXIT.ok;
}
