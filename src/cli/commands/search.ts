import { toWire } from '../../model/wire.ts';
import { type SearchInput, searchMemories } from '../../verbs/memories/search-memories.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showHits } from '../show-hits.ts';
import { readFilterFlags } from '../verb-command.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const query = args.words.join(' ').trim();
  const explain = args.isOn('explain');
  const found = await (await client()).searchMemories({
    ...readFilterFlags<SearchInput>(searchMemories, args),
    ...(query !== '' && { query }),
    ...(explain && { includeDebug: true }),
  });
  if (json) terminal.printJson(toWire(found));
  else showHits(found, terminal, { now: Date.now(), explain });
  return EXIT.ok;
}
