import type { SearchMode } from '../../model/search.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readFilter, withoutUndefined } from '../read-filters.ts';
import { showHits } from '../show-hits.ts';
import { toJson } from '../to-json.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const query = args.words.join(' ').trim();
  const { engine, caller } = await open();
  const explain = args.isOn('explain');
  const result = await engine.search(caller, {
    filter: readFilter(args),
    ...withoutUndefined({
      query: query === '' ? undefined : query,
      mode: args.text('mode') as SearchMode | undefined,
      when: args.text('when'),
      after: args.text('after'),
      before: args.text('before'),
      limit: args.number('limit', { min: 1, max: 100 }),
      cursor: args.text('cursor'),
      maxChars: args.number('max-chars', { min: 0, max: 10_000_000 }),
      debug: explain || undefined,
    }),
  });
  if (json) terminal.printJson(toJson(result));
  else showHits(result, terminal, { now: Date.now(), explain });
  return EXIT.ok;
}
