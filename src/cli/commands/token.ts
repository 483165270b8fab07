import { loadConfig } from '../../server/config.ts';
import { findOwnerToken } from '../../server/start-server.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export async function run({ args, terminal, json, sources }: CommandContext): Promise<number> {
  const { file, value } = findOwnerToken(loadConfig(sources));
  const isShown = args.isOn('show');
  if (json) terminal.printJson({ file, exists: value !== null, ...(isShown ? { token: value } : {}) });
  else if (value === null) terminal.note(`There is no token yet: \`ltm serve\` makes it, in ${file}.`);
  else terminal.print(isShown ? value : `The owner's token is in ${file}; \`ltm token --show\` prints it.`);
  return value === null ? EXIT.notFound : EXIT.ok;
}
