import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, showBytes, showCount, showTime } from '../../../cli/safe-text.ts';
import { writeAll } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { listTranscripts, readTranscript } from '../verbs/transcript-verbs.ts';

export async function transcripts({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const page = await (await client()).listTranscripts(readFlags<object>(listTranscripts, args));
  answer(page, () => {
    for (const { workspaceId, sessionId, title, startedAt, lines, bytes } of page.transcripts) {
      terminal.print(`${terminal.paint('bold', safeLine(title))}  ${terminal.paint('dim', safeLine(sessionId))}`);
      const about = [workspaceId, showTime(startedAt), showCount(lines, 'line'), showBytes(bytes)];
      terminal.print(`  ${terminal.paint('dim', about.map(safeLine).join(' · '))}`);
    }
    const more = page.cursor === null ? '' : ` · more with --cursor ${page.cursor}`;
    terminal.note(page.total === 0 ? 'No transcripts.' : `${page.transcripts.length} of ${page.total}${more}`);
  });
}

interface Wanted {
  session?: string;
  offset?: number;
  limit?: number;
}

/** Into a file or a program goes all of it, to the byte. */
export async function transcript(context: CommandContext): Promise<void> {
  const { args, terminal, answer, client } = context;
  const [workspace] = args.words;
  const { session, offset, limit } = readFlags<Wanted>(readTranscript, args);
  if (workspace === undefined || session === undefined)
    throw new UsageError('`ltm transcript` needs a workspace and --session.', '`ltm transcripts` shows both.');
  const verbs = await client();
  const { stdout } = terminal.streams;
  if (context.json || terminal.showsToPerson || offset !== undefined || limit !== undefined) {
    const read = await verbs.readTranscript({ workspace, session, offset, limit });
    answer(read, () => {
      for (const [i, line] of read.lines.entries()) terminal.print(`${read.offset + i}\t${safeLine(line)}`);
      const more = read.nextOffset === null ? '' : ` · more with --offset ${read.nextOffset}`;
      terminal.note(`${showCount(read.lines.length, 'line')} of ${read.totalLines}${more}`);
    });
    return;
  }
  for (let next: number | null = 0; next !== null; ) {
    const read = await verbs.readTranscript({ workspace, session, offset: next, limit: 1000, maxBytes: 16 << 20 });
    next = read.nextOffset;
    const ends = next !== null || read.endsWithNewline ? '\n' : '';
    if (read.lines.length > 0) await writeAll(stdout, read.lines.join('\n') + ends);
  }
}
