import { LATEST_PACKET_VERSION } from '../../model/packet.ts';
import { VERSION } from '../../model/version.ts';
import type { CommandContext } from '../command.ts';
import { describeVersion } from '../describe-version.ts';
import { EXIT } from '../exit-codes.ts';

export async function run({ json, terminal }: CommandContext): Promise<number> {
  if (json)
    terminal.printJson({
      version: VERSION,
      protocol: LATEST_PACKET_VERSION,
      node: process.versions.node,
      sqlite: process.versions.sqlite ?? null,
    });
  else terminal.print(describeVersion());
  return EXIT.ok;
}
