import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, safeText, showBytes, showCount, showTime } from '../../../cli/safe-text.ts';
import { showTable } from '../../../cli/show-table.ts';
import { writeAll } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { getNote, listNotes } from '../verbs/note-verbs.ts';
import { readOverview } from '../verbs/workspace-verbs.ts';

export async function workspaces({ terminal, answer, client }: CommandContext): Promise<void> {
  const found = await (await client()).listWorkspaces({});
  answer(found, () => {
    const rows = found.workspaces.map(({ workspaceId, machine, tool, project, updatedAt, ...counts }) => [
      ...[workspaceId, machine, tool, project].map(safeLine),
      String(counts.knowledgeCount),
      String(counts.sessionCount),
      showTime(updatedAt),
    ]);
    if (rows.length > 0)
      showTable([['workspace', 'machine', 'tool', 'project', 'notes', 'sessions', 'changed'], ...rows], terminal, {
        isPlain: true,
      });
    terminal.note(rows.length === 0 ? 'No workspaces.' : showCount(rows.length, 'workspace'));
  });
}

function needWorkspace({ args }: CommandContext, command: string): string {
  const [workspace] = args.words;
  if (workspace !== undefined) return workspace;
  throw new UsageError(`\`ltm ${command}\` needs the id of a workspace.`, '`ltm workspaces` shows which there are.');
}

export async function notes(context: CommandContext): Promise<void> {
  const { args, terminal, answer, client } = context;
  const workspace = needWorkspace(context, 'notes');
  const found = await (await client()).listNotes({
    workspace,
    ...readFlags<{ prefix?: string; deleted?: boolean }>(listNotes, args),
  });
  answer(found, () => {
    for (const { path, bytes, versions, updatedAt } of found.notes) {
      const about = [showBytes(bytes), showCount(versions, 'earlier text'), showTime(updatedAt)].join(' · ');
      terminal.print(`${safeLine(path)}  ${terminal.paint('dim', about)}`);
    }
    terminal.note(showCount(found.notes.length, 'note'));
  });
}

export async function overview(context: CommandContext): Promise<void> {
  const { args, client } = context;
  const workspace = needWorkspace(context, 'overview');
  const { version } = readFlags<{ version?: string }>(readOverview, args);
  await show(context, await (await client()).readOverview({ workspace, version }));
}

export async function note(context: CommandContext): Promise<void> {
  const { args, client } = context;
  const workspace = needWorkspace(context, 'note');
  const { path, version } = readFlags<{ path: string; version: string }>(getNote, args);
  if (path === undefined) throw new UsageError('`ltm note` needs --path.', '`ltm notes WORKSPACE` shows the paths.');
  await show(context, await (await client()).getNote({ workspace, path, version }));
}

/** Into a file or a program the text goes as it is, to the byte. */
async function show({ terminal, answer, json }: CommandContext, found: { content: string }): Promise<void> {
  if (json) return answer(found, '');
  await writeAll(terminal.streams.stdout, terminal.showsToPerson ? `${safeText(found.content)}\n` : found.content);
}
