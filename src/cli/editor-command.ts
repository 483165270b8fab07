import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import type { Environment } from '../settings/settings.ts';
import { UsageError } from './report-error.ts';

export interface EditorPlace {
  env: Environment;
  platform?: NodeJS.Platform;
  isFile?: (path: string) => boolean;
}

export interface EditorCommand {
  program: string;
  args: string[];
  /** Windows gets the arguments as they stand here: they are quoted already. */
  isQuoted: boolean;
}

const isFileHere = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/**
 * $EDITOR may hold arguments and quotes (`code --wait`, `"C:\Program Files\vim\vim.exe" -f`), or be the path of a program with spaces in it.
 * No shell reads it, but on Windows for what only a shell can start there: batch files, such as the `code` of VS Code.
 */
export function editorCommand(editor: string, file: string, place: EditorPlace): EditorCommand {
  const { env, platform = process.platform, isFile = isFileHere } = place;
  const [program = '', ...words] = isFile(editor.trim()) ? [editor.trim()] : splitWords(editor, platform);
  if (platform !== 'win32') return { program, args: [...words, file], isQuoted: false };
  const found = findOnWindows(program, env, isFile);
  if (found === null) throw cannotStart(editor);
  if (!/\.(cmd|bat)$/i.test(found)) return { program: found, args: [...words, file], isQuoted: false };
  const line = [escapeForCmd(found), ...[...words, file].map((word) => escapeForCmd(quoteForCmd(word, editor)))];
  return {
    program: variable(env, 'ComSpec') || 'cmd.exe',
    args: ['/d', '/s', '/v:off', '/c', `"${line.join(' ')}"`],
    isQuoted: true,
  };
}

export function cannotStart(editor: string): UsageError {
  return new UsageError(
    `The editor "${editor}" could not be started.`,
    'Choose another with `ltm config set editor NAME` or $EDITOR.',
  );
}

/** As a shell would cut it: on Windows with double quotes alone, since a backslash is part of paths there. */
function splitWords(text: string, platform: NodeJS.Platform): string[] {
  const piece = platform === 'win32' ? /"([^"]*)"|([^\s"]+)/y : /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'\\]|\\.)+)/y;
  const words: string[] = [];
  let at = 0;
  for (let isNew = true; at < text.length; ) {
    if (/\s/.test(text[at]!)) {
      [at, isNew] = [at + 1, true];
      continue;
    }
    piece.lastIndex = at;
    const match = piece.exec(text);
    if (match === null) throw new UsageError(`The editor "${text}" has a quotation mark that is not closed.`);
    const [double, ...others] = match.slice(1);
    const isLiteral = platform === 'win32' || match[0].startsWith("'");
    const raw = double ?? others.find((one) => one !== undefined) ?? '';
    const word = isLiteral ? raw : raw.replaceAll(/\\(.)/gs, '$1');
    if (isNew) words.push(word);
    else words[words.length - 1] += word;
    [at, isNew] = [piece.lastIndex, false];
  }
  return words;
}

/** By PATH and PATHEXT, and never from the folder that somebody happens to be in. */
function findOnWindows(program: string, env: Environment, isFile: (path: string) => boolean): string | null {
  const extensions = (variable(env, 'PATHEXT') || '.COM;.EXE;.BAT;.CMD').split(';');
  const names = [...(win32.extname(program) === '' ? [] : ['']), ...extensions].map((one) => program + one);
  const isPath = /[\\/]/.test(program);
  const folders = isPath ? [''] : (variable(env, 'PATH') ?? '').split(';').filter((folder) => folder !== '');
  const paths = folders.flatMap((folder) => names.map((name) => (isPath ? name : win32.join(folder, name))));
  return paths.find((path) => isFile(path)) ?? null;
}

/** Names of variables are the same in any case on Windows. */
function variable(env: Environment, name: string): string | undefined {
  return env[Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase()) ?? name];
}

function quoteForCmd(word: string, editor: string): string {
  // No path on Windows holds one, and no quoting keeps cmd.exe from ending the word there.
  if (/["\r\n\0]/.test(word)) throw cannotStart(editor);
  return `"${word.replace(/\\+$/, '$&$&')}"`;
}

/** Each character that means something to cmd.exe by itself: with this it means nothing, inside of quotes or out. */
function escapeForCmd(text: string): string {
  return text.replaceAll(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
