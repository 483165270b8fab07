import { toWire } from '../../model/wire.ts';
import { getMemories } from '../../verbs/memories/get-memories.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needWords } from '../need-words.ts';
import { safeLine, safeText } from '../safe-text.ts';
import { showMemory } from '../show-memory.ts';
import { readFlags } from '../verb-command.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const ids = needWords(args, 'get');
  const found = await (await client()).getMemories({ ids, ...readFlags<object>(getMemories, args) });
  if (json) terminal.printJson(toWire(found));
  else {
    found.memories.forEach((memory, at) => {
      if (args.isOn('content')) {
        terminal.streams.stdout.write(terminal.showsToPerson ? `${safeText(memory.content)}\n` : memory.content);
        return;
      }
      if (at > 0) terminal.print(terminal.paint('dim', '─'.repeat(Math.min(terminal.width, 40))));
      showMemory(memory, terminal, Date.now());
    });
  }
  for (const ref of found.missing) terminal.warn(`there is no memory "${safeLine(ref)}"`);
  return found.missing.length === 0 ? EXIT.ok : EXIT.notFound;
}
