import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { safeJson } from '../safe-text.ts';

export async function run({ args, terminal, client }: CommandContext): Promise<number> {
  const id = needPacketId(args, 'pull');
  const { canonical } = await (await client({ team: args.text('team') })).getPacket({ id });
  terminal.streams.stdout.write(`${terminal.showsToPerson ? safeJson(canonical) : canonical}\n`);
  return EXIT.ok;
}
