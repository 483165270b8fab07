import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { giveBlock } from '../packets/give-block.ts';

export async function run(context: CommandContext): Promise<number> {
  const { EXAMPLE_PACKET, canonicalPacket, renderResume } = await import('../../server/packet-forms.ts');
  if (context.args.isOn('resume'))
    return giveBlock(context, { text: renderResume(EXAMPLE_PACKET), id: EXAMPLE_PACKET.id, copies: true });
  context.terminal.print(canonicalPacket(EXAMPLE_PACKET));
  return EXIT.ok;
}
