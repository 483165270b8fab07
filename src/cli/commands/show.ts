import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { fetchPacket } from '../packets/fetch-packet.ts';
import { needPacketId } from '../packets/need-packet-id.ts';
import { openHost } from '../packets/open-host.ts';
import { safeJson, safeText } from '../safe-text.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const { packet, body, publishedAt, publicUrl } = await fetchPacket(
    await openHost(context),
    needPacketId(args, 'show'),
    args.text('team'),
  );
  const { renderShow } = await import('../../server/packet-forms.ts');
  terminal.streams.stdout.write(
    json
      ? `${terminal.showsToPerson ? safeJson(body) : body}\n`
      : safeText(renderShow(packet, { publishedAt, publicUrl })),
  );
  return EXIT.ok;
}
