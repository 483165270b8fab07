import { toWire } from '../../model/wire.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needWords } from '../need-words.ts';
import { safeLine } from '../safe-text.ts';
import { showMemoryLine } from '../show-memory.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const { restored, missing } = await (await client()).restoreMemories({ ids: needWords(args, 'restore') });
  if (json) terminal.printJson(toWire({ restored, missing }));
  else {
    for (const memory of restored) showMemoryLine(memory, terminal, Date.now());
    terminal.note(`Restored ${restored.length}.`);
  }
  for (const ref of missing) terminal.warn(`there is no deleted memory "${safeLine(ref)}"`);
  return missing.length === 0 ? EXIT.ok : EXIT.notFound;
}
