import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { needWords } from '../need-words.ts';
import { withoutUndefined } from '../read-filters.ts';
import { safeLine, safeText } from '../safe-text.ts';
import { showMemory } from '../show-memory.ts';
import { toJson } from '../to-json.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const refs = needWords(args, 'get');
  const { engine, caller } = await open();
  const found = await engine.getMemories(caller, {
    refs,
    ...withoutUndefined({ project: args.text('project'), includeDeleted: args.isOn('include-deleted') || undefined }),
  });
  if (json) terminal.printJson(toJson(found));
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
