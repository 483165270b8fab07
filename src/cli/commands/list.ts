import { toWire } from '../../model/wire.ts';
import { type ListInput, listMemories } from '../../verbs/memories/list-memories.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showCount } from '../show-age.ts';
import { showMemoryLine } from '../show-memory.ts';
import { readFilterFlags } from '../verb-command.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const deleted = args.isOn('deleted') ? 'only' : args.isOn('include-deleted') ? 'include' : undefined;
  const page = await (await client()).listMemories({ ...readFilterFlags<ListInput>(listMemories, args), deleted });
  if (json) {
    terminal.printJson(toWire(page));
    return EXIT.ok;
  }
  const { memories, total, cursor } = page;
  const now = Date.now();
  for (const memory of memories) showMemoryLine(memory, terminal, now);
  const more = cursor === null ? '' : ` · more with --cursor ${cursor}`;
  terminal.note(
    total === 0 ? 'No memories.' : `${memories.length} of ${showCount(total, 'memory', 'memories')}${more}`,
  );
  return EXIT.ok;
}
