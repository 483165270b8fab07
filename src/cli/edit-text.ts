import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfigOnce } from '../settings/config.ts';
import type { CommandContext } from './command.ts';
import { cannotStart, editorCommand } from './editor-command.ts';
import { UsageError } from './report-error.ts';

/** Opens the text in the person's editor and gives back what they saved. The draft is readable by them alone. */
export async function editText(text: string, context: EditorContext, { fileName = 'memory.md' } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ltm-'));
  const file = join(folder, fileName);
  try {
    await writeFile(file, text, { mode: 0o600 });
    await openInEditor(file, context);
    const edited = keepForm(text, await readFile(file, 'utf8'));
    if (edited.trim() === '') throw new UsageError('The text was empty when the editor closed: nothing was changed.');
    return text.endsWith('\n') ? edited : edited.replace(/\r?\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type EditorContext = Pick<CommandContext, 'env' | 'sources'>;

/** Editors on Windows may add a byte order mark and end all lines in their own way: nobody typed that. */
function keepForm(before: string, after: string): string {
  const text = before.startsWith('\uFEFF') ? after : after.replace(/^\uFEFF/, '');
  return before.includes('\r') ? text : text.replaceAll('\r\n', '\n');
}

/** The one of `ltm config set editor` before that of the environment. */
export function findEditor({ env, sources }: EditorContext, platform: NodeJS.Platform = process.platform): string {
  const { editor } = loadConfigOnce(sources);
  return editor ?? (env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi'));
}

export async function openInEditor(file: string, context: EditorContext): Promise<void> {
  const editor = findEditor(context);
  const { program, args, isQuoted } = editorCommand(editor, file, context);
  const child = spawn(program, args, { stdio: 'inherit', windowsVerbatimArguments: isQuoted });
  const [code] = await once(child, 'exit').catch(() => {
    throw cannotStart(editor);
  });
  if (code !== 0) throw new UsageError(`The editor ended with ${code ?? 'a signal'}: nothing was changed.`);
}
