import { basename } from 'node:path';
import type { CommandContext } from '../../../cli/command.ts';
import { safeLine, safeText } from '../../../cli/safe-text.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { projectFolder } from '../../../client/project-folder.ts';
import type { ContextRequest, SessionContext } from '../session-context.ts';
import { getContext } from '../verbs/get-context.ts';

/** A person waits longer than an agent: what is wanted is the answer, not its speed. */
const PATIENCE_MS = 10_000;

const WHY_NOT: Partial<Record<SessionContext['reason'], string>> = {
  empty: 'Nothing would be given: there is nothing to tell, or nothing that fits.',
  disabled: 'Nothing would be given: context_max_entries or context_max_tokens is 0.',
  quarantined: 'Nothing would be given: all there is holds what looks like a key. `ltm scrub` finds it.',
  same_topic: 'Nothing would be given: the prompt goes on with what the session is about.',
  timeout: 'Nothing would be given: choosing it took too long (context_timeout_ms).',
  error: 'Nothing would be given: the store could not be read. `ltm doctor` finds out why.',
};

export async function context({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const said = readFlags<ContextRequest>(getContext, args);
  const project = said.project ?? basename(projectFolder(process.cwd()));
  const event = said.prompt === undefined ? 'start' : 'prompt';
  const found = await (await client()).getContext({ timeoutMs: PATIENCE_MS, ...said, project, event, preview: true });
  const { print, paint, note } = terminal;
  answer(found, () => {
    if (found.context === null) {
      note(WHY_NOT[found.reason] ?? 'Nothing would be given.');
      return;
    }
    print(safeText(found.context));
    print('');
    for (const { line, kind, why } of found.entries)
      print(paint('dim', `${/\[([^[\]]+)\]$/.exec(line)?.[1] ?? ''} ${kind}: ${safeLine(why)}`));
    const withheld = found.withheld === 0 ? '' : `, ${found.withheld} withheld`;
    note(`${found.entries.length} lines, about ${found.tokens} tokens, by ${found.reason}${withheld}`);
  });
}
