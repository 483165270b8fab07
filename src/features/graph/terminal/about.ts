import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, safeText, showCount } from '../../../cli/safe-text.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { showLabels } from '../../memories/terminal/show-memory.ts';
import type { AboutInput, ListEntitiesInput } from '../entity.ts';
import { listEntities, summariseAbout, tellAbout } from '../verbs/tell-about.ts';

export async function about({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const name = args.words.join(' ').trim();
  if (name === '') throw new UsageError('`ltm about` needs a name.', '`ltm help about` shows examples.');
  const out = await (await client()).tellAbout({ ...readFlags<AboutInput>(tellAbout, args), name });
  const { print, paint, note } = terminal;
  answer(out, () => {
    for (const source of out.sources) {
      print(`${safeText(source.says)}${source.by === 'search' ? paint('dim', '  (found by search)') : ''}`);
      print(`  ${showLabels(source, terminal, Date.now())}`);
    }
    if (out.related.length > 0)
      print(
        `${paint('dim', 'together with')} ${out.related.map(({ key, together }) => `${safeLine(key)} ${together}`).join(', ')}`,
      );
    if (out.entity !== null && out.entity.aliases.length > 0)
      print(`${paint('dim', 'also written')} ${out.entity.aliases.map(safeLine).join(', ')}`);
    note(summariseAbout(out));
  });
}

export async function entities({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const [verb, into, ...aliases] = args.words;
  const verbs = await client();
  if (verb === 'merge') {
    if (into === undefined || aliases.length === 0)
      throw new UsageError('`ltm entities merge` needs two names.', '`ltm help entities` shows examples.');
    const merged = await verbs.mergeEntities({ into, aliases });
    answer(merged, () => terminal.note(`${merged.entity.key} is also ${merged.aliases.map(safeLine).join(', ')}.`));
    return;
  }
  if (verb !== undefined)
    throw new UsageError(`There is no \`ltm entities ${safeLine(verb)}\`.`, '`ltm help entities` shows examples.');
  const out = await verbs.listEntities(readFlags<ListEntitiesInput>(listEntities, args));
  answer(out, () => {
    for (const { key, mentions, aliases: names } of out.entities)
      terminal.print(
        `${String(mentions).padStart(5)}  ${safeLine(key)}${names.length === 0 ? '' : terminal.paint('dim', `  ${names.map(safeLine).join(', ')}`)}`,
      );
    terminal.note(`${out.entities.length} of ${showCount(out.total, 'entity', 'entities')}`);
  });
}
