import { spawn } from 'node:child_process';
import type { CommandContext } from '../../../cli/command.ts';
import { safeLine, safeText } from '../../../cli/safe-text.ts';
import type { Environment } from '../../../settings/settings.ts';

const PATIENCE_MS = 5000;

/** A resume block goes to the clipboard or to stdout; to stdout as well where there is no clipboard. --no-copy wins over everything. */
export async function giveBlock(
  { args, terminal, env }: CommandContext,
  block: { text: string; id: string; copies: boolean },
): Promise<void> {
  const wantsCopy = (block.copies || args.isOn('copy')) && !args.isOn('no-copy');
  const shown = safeText(block.text);
  if (wantsCopy && (await copyText(shown, env))) {
    terminal.note(
      `Copied ${[...shown].length} characters of packet …${safeLine([...block.id].slice(-8).join(''))} to the clipboard.`,
    );
    return;
  }
  if (wantsCopy) terminal.warn('there is no clipboard, so the text is printed');
  terminal.streams.stdout.write(terminal.showsToPerson ? shown : block.text);
}

/** Puts a text on the clipboard; false where there is none. */
async function copyText(text: string, env: Environment): Promise<boolean> {
  for (const [program, ...words] of clipboardPrograms(env)) if (await feed(program!, words, text)) return true;
  return false;
}

function clipboardPrograms(env: Environment): string[][] {
  if (process.platform === 'darwin') return [['pbcopy']];
  if (process.platform === 'win32') return [['clip']];
  const programs: string[][] = [];
  if (env.WAYLAND_DISPLAY) programs.push(['wl-copy']);
  if (env.DISPLAY) programs.push(['xclip', '-selection', 'clipboard'], ['xsel', '--clipboard', '--input']);
  if (env.WSL_DISTRO_NAME) programs.push(['clip.exe']);
  return programs;
}

/** Some of them stay in the background and hold their output open, so nothing of it is read. */
function feed(program: string, words: string[], text: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'], timeout: PATIENCE_MS });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => resolve(false));
    child.stdin.end(text);
  });
}
