import type { CommandContext } from '../../../cli/command.ts';
import { tellDamaged } from '../../../cli/need-refs.ts';
import { safeLine, showCount, showTime } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { cutText } from '../../../cli/text-width.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { getTimeline, type Timeline, type TimelineInput } from '../verbs/get-timeline.ts';

type Entry = Timeline['entries'][number];

export async function timeline({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const page = await (await client()).getTimeline(readFlags<TimelineInput>(getTimeline, args));
  const { entries, total, cursor } = page;
  answer(page, () => {
    showDays(entries, terminal);
    const more = cursor === null ? '' : ` · more with --cursor ${cursor}`;
    terminal.note(total === 0 ? 'Nothing yet.' : `${entries.length} of ${showCount(total, 'entry', 'entries')}${more}`);
  });
  return tellDamaged(page.damaged, terminal);
}

/** A heading for each day, and below it one for each project of that day, in the order of their latest entries. */
function showDays(entries: readonly Entry[], terminal: Terminal): void {
  const days = Map.groupBy(entries, ({ at }) => showTime(at).slice(0, 10));
  for (const [day, ofDay] of days) {
    terminal.print(terminal.paint('bold', day));
    for (const [project, some] of Map.groupBy(ofDay, (entry) => entry.project)) {
      terminal.print(`  ${terminal.paint('dim', safeLine(project ?? 'no project'))}`);
      for (const entry of some) showEntry(entry, terminal);
    }
  }
}

const KIND_WIDTH = 11;

function showEntry(
  { at, kind, number, type, title, id, agent, trust }: Entry,
  { print, paint, width }: Terminal,
): void {
  const time = showTime(at).slice(11);
  const name = number === null ? id : `#${number}`;
  const what = kind === 'observation' ? type : kind;
  const about = [name, agent, trust === 'untrusted' ? 'untrusted' : null].filter((one) => one !== null).map(safeLine);
  const tail = `  ${about.join(' · ')}`;
  const start = `    ${time}  ${what.padEnd(KIND_WIDTH)} `;
  print(`${start}${cutText(safeLine(title), Math.max(20, width - start.length - tail.length))}${paint('dim', tail)}`);
}
