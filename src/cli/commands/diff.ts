import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { fetchPacket } from '../packets/fetch-packet.ts';
import { openHost } from '../packets/open-host.ts';
import { safeLine } from '../safe-text.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const [before, after] = args.words;
  if (before === undefined || after === undefined)
    throw new UsageError('`ltm diff` needs the ids of two packets.', '`ltm log ID` shows a chain of them.');
  const host = await openHost(context);
  const [old, now] = await Promise.all([before, after].map((id) => fetchPacket(host, id, args.text('team'))));
  const { diffPackets } = await import('../../server/packet-forms.ts');
  const differences = diffPackets(old!.packet, now!.packet);
  if (json) {
    terminal.printJson(differences);
    return EXIT.ok;
  }
  for (const { field, removed, added } of differences) {
    terminal.print(terminal.paint('bold', field));
    for (const item of removed) terminal.print(terminal.paint('red', `- ${safeLine(item)}`));
    for (const item of added) terminal.print(terminal.paint('green', `+ ${safeLine(item)}`));
  }
  if (differences.length === 0) terminal.note('They say the same.');
  return EXIT.ok;
}
