import { findHost } from '../../client/server-client.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export async function run({ args, terminal, env, json, sources }: CommandContext): Promise<number> {
  const host = args.text('db') === undefined ? await findHost(env) : null;
  const url = host ?? (await ownUrl(sources));
  if (json) terminal.printJson({ url });
  else terminal.print(url);
  if (host === null) terminal.note('This machine; it answers while `ltm serve` runs.');
  return EXIT.ok;
}

async function ownUrl(sources: CommandContext['sources']): Promise<string> {
  const { loadConfig } = await import('../../server/config.ts');
  const { externalUrl, host, port } = loadConfig(sources);
  return externalUrl ?? `http://${host}:${port}`;
}
