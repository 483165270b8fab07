import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needWords } from '../need-words.ts';
import { safeLine } from '../safe-text.ts';
import { showMemoryLine } from '../show-memory.ts';
import { toJson } from '../to-json.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const refs = needWords(args, 'restore');
  const { engine, caller } = await open();
  const { restored, missing } = await engine.restoreMemories(caller, refs);
  if (json) terminal.printJson(toJson({ restored, missing }));
  else {
    for (const memory of restored) showMemoryLine(memory, terminal, Date.now());
    terminal.note(`Restored ${restored.length}.`);
  }
  for (const ref of missing) terminal.warn(`there is no deleted memory "${safeLine(ref)}"`);
  return missing.length === 0 ? EXIT.ok : EXIT.notFound;
}
