import type { Resemblance, StoreOutcome } from '../../model/memory.ts';
import { toWire } from '../../model/wire.ts';
import { type NewMemory, storeMemory } from '../../verbs/memories/store-memory.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { readContent } from '../read-content.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { readFlags } from '../verb-command.ts';

export async function run({ args, terminal, json, client }: CommandContext): Promise<number> {
  const content = await readContent(args.words, terminal.streams);
  const outcome = await (await client()).storeMemory({ ...readFlags<NewMemory>(storeMemory, args), content });
  if (json) terminal.printJson(toWire(outcome));
  else showOutcome(outcome, terminal);
  return outcome.outcome === 'refused' ? EXIT.refused : EXIT.ok;
}

function showOutcome(outcome: StoreOutcome, terminal: Terminal): void {
  const { print, paint } = terminal;
  switch (outcome.outcome) {
    case 'stored':
      print(
        `Stored ${paint('cyan', outcome.memory.id)}${outcome.chunks.length > 1 ? ` in ${outcome.chunks.length} pieces` : ''}.`,
      );
      if (outcome.supersedes.length > 0) print(`It supersedes ${outcome.supersedes.join(', ')}.`);
      break;
    case 'duplicate':
      print(`Already there as ${paint('cyan', outcome.memory.id)}: nothing was written.`);
      break;
    case 'merged':
    case 'appended':
      print(
        `${outcome.outcome === 'merged' ? 'Merged into' : 'Appended to'} ${paint('cyan', outcome.memory.id)}, which said nearly the same.`,
      );
      break;
    case 'updated':
      print(`Updated ${paint('cyan', outcome.memory.id)}, which has this key.`);
      break;
    case 'refused':
      print('Not stored: a memory nearly like it is there.');
      break;
  }
  if (outcome.outcome === 'stored' || outcome.outcome === 'refused') showResemblances(outcome.resembles, terminal);
  for (const warning of outcome.warnings) terminal.warn(safeLine(warning));
}

function showResemblances(resembles: readonly Resemblance[], { print, paint }: Terminal): void {
  for (const { id, similarity, title } of resembles)
    print(`  ${Math.round(similarity * 100)} % like ${paint('cyan', id)}  ${safeLine(title)}`);
}
