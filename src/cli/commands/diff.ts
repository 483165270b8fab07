import { needPacket } from '../../verbs/packets/get-packet.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const [before, after] = args.words;
  if (before === undefined || after === undefined)
    throw new UsageError('`ltm diff` needs the ids of two packets.', '`ltm log ID` shows a chain of them.');
  const { getPacket } = await client({ team: args.text('team') });
  const [old, now] = await Promise.all([getPacket({ id: before }), getPacket({ id: after })]);
  const { diffPackets } = await import('../../server/packet-forms.ts');
  const differences = diffPackets(needPacket(old.packet), needPacket(now.packet));
  if (json) {
    terminal.printJson(differences);
    return EXIT.ok;
  }
  for (const { field, removed, added } of differences) {
    terminal.print(terminal.paint('bold', field));
    for (const item of removed) terminal.print(terminal.paint('red', `- ${safeLine(item)}`));
    for (const item of added) terminal.print(terminal.paint('green', `+ ${safeLine(item)}`));
  }
  if (differences.length === 0) terminal.note('They are the same.');
  return EXIT.ok;
}
