import { VERSION } from '../../model/version.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

/** Calls nobody: which versions there are, the package registry knows and not this program. */
export async function run({ terminal, json }: CommandContext): Promise<number> {
  const commands = { check: 'npm outdated -g ltm', update: 'npm install -g ltm@latest' };
  if (json) {
    terminal.printJson({ version: VERSION, ...commands });
    return EXIT.ok;
  }
  terminal.print(`ltm ${VERSION}`);
  terminal.print(`Is there a newer one?  ${commands.check}`);
  terminal.print(`Install it:            ${commands.update}`);
  terminal.note('Nothing was asked over the network, and nothing was changed.');
  return EXIT.ok;
}
