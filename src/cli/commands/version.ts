import { VERSION } from '../../model/version.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export async function run({ json, terminal }: CommandContext): Promise<number> {
  if (json) terminal.printJson({ version: VERSION, node: process.versions.node, sqlite: process.versions.sqlite ?? null });
  else terminal.print(`ltm ${VERSION}`);
  return EXIT.ok;
}
