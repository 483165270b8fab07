import type { CommandContext } from '../../../cli/command.ts';
import { needRefs, tellDamaged, tellMissing } from '../../../cli/need-refs.ts';
import { safeLine, safeText, showCount, showTime } from '../../../cli/safe-text.ts';
import { readFilterFlags, readFlags } from '../../../cli/verb-command.ts';
import { getMemories } from '../verbs/get-memories.ts';
import { type ListInput, listMemories } from '../verbs/list-memories.ts';
import { type SearchInput, searchMemories } from '../verbs/search-memories.ts';
import { showHits } from './show-hits.ts';
import { showLabels, showMemory, showMemoryLine } from './show-memory.ts';

export async function search({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const explain = args.isOn('explain');
  const found = await (await client()).searchMemories({
    ...readFilterFlags<SearchInput>(searchMemories, args),
    query: args.words.join(' ').trim() || undefined,
    includeDebug: explain || undefined,
  });
  answer(found, () => showHits(found, terminal, { now: Date.now(), explain, all: args.isOn('all') }));
  return tellDamaged(found.damaged, terminal);
}

export async function get({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const ids = needRefs(args, 'get');
  const found = await (await client()).getMemories({ ids, ...readFlags<object>(getMemories, args) });
  answer(found, () =>
    found.memories.forEach((memory, at) => {
      if (args.isOn('content')) {
        terminal.streams.stdout.write(terminal.showsToPerson ? `${safeText(memory.content)}\n` : memory.content);
        return;
      }
      if (at > 0) terminal.print(terminal.paint('dim', '─'.repeat(Math.min(terminal.width, 40))));
      showMemory(memory, terminal, Date.now());
    }),
  );
  for (const notice of found.notices ?? []) terminal.note(safeLine(notice));
  return tellDamaged(found.damaged, terminal) || tellMissing(found.missing, 'memory', terminal);
}

export async function list({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const deleted = args.isOn('deleted') ? 'only' : args.isOn('include-deleted') ? 'include' : undefined;
  const page = await (await client()).listMemories({ ...readFilterFlags<ListInput>(listMemories, args), deleted });
  const { memories, total, atLeast, cursor } = page;
  const least = atLeast === true ? 'at least ' : '';
  answer(page, () => {
    for (const memory of memories) showMemoryLine(memory, terminal, Date.now());
    const more = cursor === null ? '' : ` · more with --cursor ${cursor}`;
    terminal.note(
      total === 0 ? 'No memories.' : `${memories.length} of ${least}${showCount(total, 'memory', 'memories')}${more}`,
    );
  });
  return tellDamaged(page.damaged, terminal);
}

export async function history({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const [ref] = needRefs(args, 'history');
  const { versions } = await (await client()).listVersions({ ref: ref! });
  const { print, paint, note } = terminal;
  answer({ versions }, () => {
    for (const { memory, replacedAt, reason } of versions) {
      const until = ` until ${showTime(replacedAt)}${reason === null ? '' : `: ${safeLine(reason)}`}`;
      print(paint('bold', `revision ${memory.revision}`) + paint('dim', until));
      print(`  ${showLabels(memory, terminal, Date.now())}`);
      print(`${safeText(memory.content).replace(/^/gm, '  ')}\n`);
    }
    note(
      versions.length === 0
        ? 'It was never changed.'
        : `Back to revision ${versions[0]!.memory.revision}: ltm edit ${safeLine(ref!)} --undo`,
    );
  });
}
