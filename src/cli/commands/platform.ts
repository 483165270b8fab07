import { loadConfig } from '../../server/config.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export async function run({ terminal, json, sources, server }: CommandContext): Promise<number> {
  const used = await server();
  const { externalUrl, host, port } = loadConfig(sources);
  const url = used ?? externalUrl ?? `http://${host}:${port}`;
  if (json) terminal.printJson({ url });
  else terminal.print(url);
  if (used === null) terminal.note('This machine; it answers while `ltm serve` runs.');
  return EXIT.ok;
}
