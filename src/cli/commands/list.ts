import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readListFilter, withoutUndefined } from '../read-filters.ts';
import { showCount } from '../show-age.ts';
import { showMemoryLine } from '../show-memory.ts';
import { toJson } from '../to-json.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const { engine, caller } = await open();
  const limit = args.number('limit', { min: 1, max: 1000 }) ?? 20;
  const page = await engine.listMemories(caller, {
    filter: readListFilter(args),
    page: { limit, ...withoutUndefined({ cursor: args.text('cursor') }) },
    ...withoutUndefined({
      after: args.text('after'),
      before: args.text('before'),
      staleDays: args.number('stale-days', { min: 0, max: 36_500 }),
    }),
  });
  if (json) {
    terminal.printJson(toJson({ memories: page.items, total: page.total, cursor: page.cursor }));
    return EXIT.ok;
  }
  const now = Date.now();
  for (const memory of page.items) showMemoryLine(memory, terminal, now);
  const more = page.cursor === null ? '' : ` · more with --cursor ${page.cursor}`;
  terminal.note(
    page.total === 0 ? 'No memories.' : `${page.items.length} of ${showCount(page.total, 'memory', 'memories')}${more}`,
  );
  return EXIT.ok;
}
