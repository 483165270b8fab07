import type { OnDuplicate, Resemblance, StoreMemoryInput, StoreOutcome } from '../../model/memory.ts';
import type { LocalSession } from '../../server/local-session.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Arguments } from '../read-arguments.ts';
import { readContent, readMetadata } from '../read-content.ts';
import { withoutUndefined } from '../read-filters.ts';
import { readOptionalTime } from '../read-time-flag.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { toJson } from '../to-json.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const content = await readContent(args.words, terminal.streams);
  const session = await open();
  const outcome = await session.engine.storeMemory(session.caller, await readInput(content, args, session));
  if (json) terminal.printJson(toJson(outcome));
  else showOutcome(outcome, terminal);
  return outcome.outcome === 'refused' ? EXIT.refused : EXIT.ok;
}

async function readInput(content: string, args: Arguments, { config }: LocalSession): Promise<StoreMemoryInput> {
  return {
    content,
    ...withoutUndefined({
      type: args.text('type'),
      tags: args.list('tags'),
      metadata: readMetadata(args),
      key: args.text('key'),
      project: args.text('project'),
      agent: args.text('agent'),
      session: args.text('session'),
      conversation: args.text('conversation'),
      quality: args.number('quality', { min: 0, max: 1 }),
      validFrom: await readOptionalTime(args, 'valid-from', config),
      validUntil: await readOptionalTime(args, 'valid-until', config),
      onDuplicate: args.text('on-duplicate') as OnDuplicate | undefined,
      idempotencyKey: args.text('idempotency-key'),
    }),
  };
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
