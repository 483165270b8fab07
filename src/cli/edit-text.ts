import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../server/config.ts';
import type { CommandContext } from './command.ts';
import { UsageError } from './report-error.ts';

/** Opens the text in the person's editor and gives back what they saved. The draft is readable by them alone. */
export async function editText(text: string, context: EditorContext, { fileName = 'memory.md' } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ltm-'));
  const file = join(folder, fileName);
  try {
    await writeFile(file, text, { mode: 0o600 });
    await runEditor(findEditor(context), file);
    const edited = await readFile(file, 'utf8');
    if (edited.trim() === '') throw new UsageError('The text was empty when the editor closed: nothing was changed.');
    return text.endsWith('\n') ? edited : edited.replace(/\r?\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type EditorContext = Pick<CommandContext, 'env' | 'sources'>;

/** The one of `ltm config set editor` before that of the environment. */
export function findEditor({ env, sources }: EditorContext): string {
  const { editor } = loadConfig(sources);
  return editor ?? (env.VISUAL || env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi'));
}

/** $EDITOR may hold arguments ("code --wait"), as git reads it. */
export async function runEditor(editor: string, file: string): Promise<void> {
  const [program = '', ...words] = editor.trim().split(/\s+/);
  const child = spawn(program, [...words, file], { stdio: 'inherit' });
  const [code] = await once(child, 'exit').catch(() => {
    throw new UsageError(
      `The editor "${editor}" could not be started.`,
      'Choose another with `ltm config set editor NAME` or $EDITOR.',
    );
  });
  if (code !== 0) throw new UsageError(`The editor ended with ${code ?? 'a signal'}: nothing was changed.`);
}
