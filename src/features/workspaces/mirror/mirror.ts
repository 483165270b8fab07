import { once } from 'node:events';
import { resolve } from 'node:path';
import type { CommandContext } from '../../../cli/command.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import { checkMirror } from './bind-mirror.ts';
import { openMirror } from './mirror-files.ts';
import { type MirrorReport, type MirrorSource, mirrorOnce, mirrorSource } from './mirror-folder.ts';
import { watchMirror } from './watch-mirror.ts';

const EVERY_MS = 10_000;

/** Writes workspaces into a folder, and reads edits of notes back: once, or for as long as it runs. */
export async function mirror(context: CommandContext): Promise<number> {
  const { args, terminal, answer } = context;
  const [folder] = args.words;
  if (folder === undefined) throw new UsageError('`ltm mirror` needs a folder.', 'It is made where it is not there.');
  const files = openMirror(resolve(folder));
  const source = await openSource(context);
  await checkMirror(source, files);
  if (!args.isOn('watch')) {
    const report = await mirrorOnce(source, files, { removesMany: args.isOn('yes') });
    answer(report, () => show(report, context));
    return report.warnings.length > 0 ? EXIT.failure : EXIT.ok;
  }
  const watching = watchMirror(source, files, {
    everyMs: EVERY_MS,
    onRound: (report) => show(report, context),
    onFailure: (error) => terminal.warn(safeLine(error instanceof Error ? error.message : String(error))),
  });
  terminal.note('Watching; end it with Ctrl+C.');
  const controller = new AbortController();
  const end = (): void => controller.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const idle = setInterval(() => undefined, 2 ** 30);
  await once(controller.signal, 'abort');
  clearInterval(idle);
  await watching.stop();
  return EXIT.ok;
}

/** What lies in the database of this machine is read from it to the byte. */
async function openSource({ args, client, server, open }: CommandContext): Promise<MirrorSource> {
  const team = args.text('team');
  const verbs = await client({ team });
  if ((await server()) !== null) return mirrorSource(verbs);
  const { engine, caller } = await open();
  const inside = team === undefined ? caller : await engine.enterTeam(caller, team);
  return { verbs, readBytes: (ref) => engine.readTranscriptBytes(inside, ref) };
}

function show({ written, sent, removed, conflicts, warnings }: MirrorReport, { terminal }: CommandContext): void {
  for (const path of sent) terminal.print(safeLine(`sent      ${path}`));
  for (const path of written) terminal.print(safeLine(`written   ${path}`));
  for (const path of removed) terminal.print(safeLine(`removed   ${path}`));
  for (const path of conflicts) terminal.print(safeLine(`conflict  ${path}: your text lies beside it`));
  for (const warning of warnings) terminal.warn(safeLine(warning));
  const changes = written.length + sent.length + removed.length;
  if (changes > 0) terminal.note(`${showCount(changes, 'file')} changed.`);
}
